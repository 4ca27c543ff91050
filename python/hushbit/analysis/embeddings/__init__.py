"""What embeddings of many whole texts tell: moments, discriminants, classifiers."""
