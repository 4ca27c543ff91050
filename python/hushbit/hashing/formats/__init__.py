"""Files of feature-hashed models. The names of their formats need no numpy."""

MODEL_FORMATS = ("npz", "skops", "vowpal", "crfsuite")
