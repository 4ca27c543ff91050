"""Synthetic rows: densities are fitted to genuine rows and drawn from. The names of fits need no numpy."""

FIT_KINDS = ("gaussian", "mixture", "kernel", "copies")
DEFAULT_FIT = "kernel"
AUTO_FIT = "auto"
AUTO_FIT_KINDS = ("kernel", "mixture", "copies")  # what it tries, in this order
