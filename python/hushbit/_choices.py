"""Names that commands offer for feature-hashed models before `hushbit.hashing`, which needs numpy, is imported."""

MODEL_FORMATS = ("npz", "skops", "vowpal", "crfsuite")
FIT_KINDS = ("gaussian", "mixture", "kernel", "copies")
DEFAULT_FIT = "kernel"
AUTO_FIT = "auto"
AUTO_FIT_KINDS = ("kernel", "mixture", "copies")  # what it tries, in this order
