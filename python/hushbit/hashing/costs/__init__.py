"""What a filled table costs a term."""
