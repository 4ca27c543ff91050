"""The table of weights behind hashes, the hash, and rows that repeat."""
