"""Evaluates mechanisms: what an ε means, whether the promise holds, what it costs, and what text keeps."""
