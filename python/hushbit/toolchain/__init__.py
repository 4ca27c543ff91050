"""Makes a bundle: reads vectors, converts them to codes, writes the file, and measures its quality."""
