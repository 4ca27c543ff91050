"""Searches for the nearest code, measured: Hushbit's beside those of faiss, usearch and Annoy."""
