"""Attacks: whether genuine rows can be told from synthetic ones, and what a model's answers tell."""
