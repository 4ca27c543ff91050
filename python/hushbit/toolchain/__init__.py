"""Make a bundle: read vectors, turn them into codes, write the file, and measure its quality."""
