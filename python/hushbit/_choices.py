"""Names that commands offer for feature-hashed models before `hushbit.hashing`, which needs numpy, is imported."""

MODEL_FORMATS = ("npz", "skops", "vowpal", "crfsuite")
FIT_KINDS = ("gaussian", "mixture", "kernel", "copies")
DEFAULT_FIT = "kernel"
