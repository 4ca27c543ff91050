"""Judge a mechanism: what its ε means, whether it holds, and what it costs and keeps."""
