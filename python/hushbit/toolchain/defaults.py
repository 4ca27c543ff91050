"""What an export makes unless it is told otherwise, and the numbers of mechanisms in a file."""

from hushbit._options import CrowdSize, Mechanism

MECHANISM_CODES: dict[Mechanism, int] = {"brr": 1, "tem": 2, "crowd": 3}
CROWD_SIZE_CODES: dict[CrowdSize, int] = {"one": 1, "few": 2, "many": 3}
"""Their numbers in the header of a bundle."""
EXPORTED_MECHANISM: Mechanism = "crowd"
"""The default mechanism of a bundle, if the export does not name one."""
EXPORTED_CROWD_SIZE: CrowdSize = "many"
"""The default size of crowds of such a bundle."""
EXPORTED_EPSILON = 6.0
"""The default ε of crowds, per word. Accuracy still rises there, and context adds little (docs/crowd.md)."""
EXPORTED_OUTPUTS = 16_384
"""The number of words that may come out: the most frequent ones."""
EXPORTED_ALPHA = 1.0
"""The weight of an output word is inversely proportional to its frequency rank to this power."""
FUNCTION_WORDS = "english-function-words"
"""The name of the list of English words that carry grammar rather than content."""
SENSITIVE_WORDS = "english-sensitive-words"
"""The name of the list of English words that one would not like to find in a released text, and of names of persons."""
EMBEDDING_DIMENSIONS = 32
"""The dimensions of embeddings of a bundle: more do not help under noise (docs/embedding.md)."""
EMBEDDING_DIRECTIONS = 16_384
"""The number of directions of which one is released: more are no better, and fewer are not much faster."""
