"""The native core, as python/src/module.cpp binds it. Use `hushbit.open` and the public classes, which are built on it.

Failures raise the class of `hushbit.errors` for the core's status. Calls that take time release the interpreter lock,
and every object may be used from several threads.
"""

from typing import Final, Literal, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from hushbit._options import CrowdSize, EpsilonUnit, Mechanism
from hushbit._text import TokenKind
from hushbit.errors import HushbitError

VERSION: Final[str]
UNICODE_VERSION: Final[str]
KERNELS: Final[tuple[str, ...]]
"""The instruction sets that the search can use on this processor. The fastest comes first and is in use."""
MECHANISMS: Final[dict[str, int]]
OOV_POLICIES: Final[dict[str, int]]
PUNCTUATION_POLICIES: Final[dict[str, int]]
SEARCHES: Final[dict[str, int]]
CROWD_SIZES: Final[dict[str, int]]

class BundleInfo:
    """`hushbit_bundle_info`, field by field."""

    format_major: int
    format_minor: int
    bits: int
    words: int
    max_word_bytes: int
    max_distance: int
    average_distance: float
    default_epsilon: float
    default_mechanism: Mechanism
    unicode_version: str
    mih_flips: float
    default_epsilon_unit: EpsilonUnit
    default_epsilon_brr: float
    default_epsilon_tem: float
    default_crowd_size: CrowdSize | None
    output_words: int
    public_words: int
    file_bytes: int
    hash: bytes

class SectionInfo:
    """`hushbit_section_info`, field by field."""

    name: str
    type: int
    offset: int
    length: int
    sha256: bytes

class Token:
    """`hushbit_token`: `kind` is "word", "unknown" or "punctuation"; `word` is None if the token has no id."""

    kind: Literal["word", "unknown", "punctuation"]
    word: int | None
    byte_begin: int
    byte_end: int
    utf16_begin: int
    utf16_end: int
    output_begin: int
    output_end: int

class Cost:
    """`hushbit_cost`, field by field."""

    epsilon: float
    average: float
    worst_case: float
    words: int
    unknown: int
    dropped: int
    verbatim: int
    public_words: int
    epsilon_unit: EpsilonUnit

class PrivatizerInfo:
    """`hushbit_privatizer_info`, field by field."""

    mechanism: Mechanism
    requested_epsilon: float
    effective_epsilon: float
    flip_threshold: int
    flip_probability: float
    gamma: int
    average_per_token: float
    worst_case_per_token: float
    clamped: bool
    memoized: bool
    epsilon_unit: EpsilonUnit
    crowd_size: CrowdSize | None
    crowd_mass: int
    output_mass: int
    crowd_threshold: int
    crowd_probability: float
    mean_crowd: float
    output_words: int
    public_words: int

class Result:
    """What one call released. `text` is UTF-8."""

    text: bytes
    tokens: list[Token]
    cost: Cost

    @property
    def rows(self) -> list[tuple[TokenKind, int, int, int, int, str | None]]:
        """The fields of `hushbit.PrivatizedToken` for each token; UnicodeDecodeError if words are not UTF-8."""

class Batch:
    """What `privatize_batch` released: text i is `text[offsets[i] : offsets[i + 1]]`, UTF-8.

    `averages` and `worst_cases` are the costs of each text, float64. `counts` contains the sums of all counts, with
    costs of 0. `released` is the number of tokens that a budget counts.
    """

    text: bytes
    offsets: NDArray[np.int64]
    averages: NDArray[np.float64]
    worst_cases: NDArray[np.float64]
    counts: Cost
    released: int

class Bundle:
    @staticmethod
    def open(path: str | bytes) -> Bundle: ...
    @staticmethod
    def open_fd(fd: int, offset: int, length: int) -> Bundle: ...
    @staticmethod
    def from_bytes(data: bytes) -> Bundle:
        """Opens a copy of `data`."""

    def info(self) -> BundleInfo: ...
    def default_options(self) -> dict[str, float | bytes]:
        """The values of `hushbit_privatizer_options_init`, by field; names as numbers."""

    def meta(self) -> bytes: ...
    def sections(self) -> list[SectionInfo]: ...
    def verify(self) -> None: ...
    def find(self, word: bytes) -> int | None: ...
    def word(self, id: int) -> bytes: ...
    def output_words(self) -> NDArray[np.uint32]:
        """The ids of the words that may come out, ascending."""

    def stand_ins(self, ids: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """The stand-in of each word, by id: the output word that represents it. An output word is its own stand-in."""

    def codes(self, ids: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """uint8 (len(ids), bits / 8)."""

    def nearest(self, codes: NDArray[np.uint8]) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
        """The minimum distances for uint8 (count, bits / 8), the number of words at them, the lowest of their ids."""

    def neighbors(self, code: NDArray[np.uint8], k: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """The ids and distances of the k words nearest to one code."""

    def farthest(self, first: int, last: int, floor: int) -> int: ...
    def tokenize(self, text: bytes) -> list[Token]: ...

class BudgetState:
    """`hushbit_budget_state`, field by field."""

    day: int
    worst_case_today: float
    worst_case_lifetime: float
    tokens_today: int
    tokens_lifetime: int
    texts_today: int
    texts_lifetime: int

class Budget:
    """`hushbit_budget`: infinity and 2**64 - 1 mean no cap."""

    def __init__(
        self,
        path: str | bytes,
        *,
        worst_case_per_day: float,
        worst_case_lifetime: float,
        tokens_per_day: int,
        tokens_lifetime: int,
    ) -> None: ...
    def spend(self, worst_case: float, tokens: int) -> None: ...
    def spend_texts(self, worst_case: float, texts: int) -> None: ...
    def state(self) -> BudgetState: ...
    @staticmethod
    def read(path: str | bytes) -> BudgetState: ...
    @staticmethod
    def reset(path: str | bytes) -> None: ...

class Privatizer:
    def __init__(
        self,
        bundle: Bundle,
        *,
        mechanism: str | None = None,
        epsilon: float | None = None,
        beta: float | None = None,
        oov: str | None = None,
        punctuation: str | None = None,
        mask: bytes | None = None,
        device_key: bytes | None = None,
        epoch: int | None = None,
        budget: Budget | None = None,
        audit_log: str | bytes | None = None,
        search: str | None = None,
        crowd_size: str | None = None,
        allow_unchanged: bool = False,
    ) -> None:
        """The options are those of `hushbit.PrivatizerOptions`; None for the bundle's default or the default of C."""

    def info(self) -> PrivatizerInfo: ...
    def privatize(self, text: bytes) -> Result: ...
    def privatize_lines(self, lines: list[bytes]) -> tuple[list[Result], HushbitError | None]:
        """Privatizes each line separately, up to the first that fails; also returns its error."""

    def privatize_batch(self, offsets: NDArray[np.int64], data: Buffer) -> tuple[Batch, HushbitError | None]:
        """Privatizes texts up to the first that fails; also returns its error.

        Text i is `data[offsets[i] : offsets[i + 1]]`. No object is created for a text. The data must
        not change during the call.
        """

class EmbedderInfo:
    """`hushbit_embedder_info`, field by field."""

    requested_epsilon: float
    effective_epsilon: float
    dimensions: int
    directions: int
    seed: int
    crowd_directions: int
    crowd_threshold: int
    crowd_probability: float
    clamped: bool
    memoized: bool
    input_numbers: int
    hash: bytes

class Embedding:
    """`hushbit_embedding`, field by field."""

    index: int
    signs: int
    dimensions: int
    epsilon: float

class Embedder:
    @overload
    def __init__(
        self,
        bundle: Bundle,
        *,
        epsilon: float | None = None,
        punctuation: str | None = None,
        device_key: bytes | None = None,
        epoch: int | None = None,
        budget: Budget | None = None,
        audit_log: str | bytes | None = None,
    ) -> None:
        """The options are those of `hushbit.EmbedderOptions`; None for the default of C."""

    @overload
    def __init__(
        self,
        projection: bytes,
        *,
        epsilon: float | None = None,
        device_key: bytes | None = None,
        epoch: int | None = None,
        budget: Budget | None = None,
        audit_log: str | bytes | None = None,
    ) -> None:
        """Makes an embedder of vectors by the bytes of a projection file."""

    def info(self) -> EmbedderInfo: ...
    def directions(self) -> NDArray[np.uint64]:
        """The signs of each direction, uint64 (K,): bit i is 1 for +1."""

    def embed(self, text: bytes) -> Embedding: ...
    def embed_lines(self, lines: list[bytes]) -> tuple[list[Embedding], HushbitError | None]:
        """Embeds each line separately, up to the first that fails; also returns its error."""

    def embed_batch(self, offsets: NDArray[np.int64], data: Buffer) -> tuple[NDArray[np.uint32], HushbitError | None]:
        """The indexes for texts as in `privatize_batch`, up to the first that fails; also returns its error."""

    def embed_vector(self, numbers: NDArray[np.float32]) -> Embedding: ...
    def embed_vectors(self, rows: NDArray[np.float32]) -> tuple[NDArray[np.uint32], HushbitError | None]:
        """The indexes for float32 (count, n), up to the first row that fails; also returns its error."""

    def nearest_words(self, direction: NDArray[np.float64], k: int) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        """The ids and cosines of the k output words whose vectors point most along a direction."""

class Classifier:
    def __init__(self, embedder: Embedder, weights: bytes) -> None:
        """`hushbit_classifier`, of the bytes of a file of weights."""

    def classes(self) -> list[str]: ...
    def classify(self, text: bytes) -> tuple[int, NDArray[np.float64]]:
        """The number of the best class, and the log-odds of all."""

    def classify_vector(self, numbers: NDArray[np.float32]) -> tuple[int, NDArray[np.float64]]:
        """The same for float32 (n,)."""

class ReporterInfo:
    """`hushbit_reporter_info`, field by field; `values` by its name."""

    values: Literal["words", "emoji", "list", "new-words"]
    value_count: int
    has_none: bool
    requested_epsilon: float
    effective_epsilon: float
    reports: int
    prime: int
    dimension: int
    points: int
    set_size: int
    groups: int
    threshold: int
    probability: float
    memoized: bool
    hash: bytes

class Report:
    """`hushbit_report`, field by field."""

    report: int
    epsilon: float
    values: bytes

class Reporter:
    def __init__(
        self,
        bundle: Bundle | None,
        *,
        values: str,
        epsilon: float | None = None,
        punctuation: str | None = None,
        skin_tones: bool = False,
        none: bool = False,
        list: bytes = b"",
        pass_over: bytes = b"",
        device_key: bytes | None = None,
        epoch: int | None = None,
        budget: Budget | None = None,
        audit_log: str | bytes | None = None,
    ) -> None:
        """The options are those of `hushbit.ReporterOptions`, lists one value a line; None for the default of C."""

    def info(self) -> ReporterInfo: ...
    def spellings(self, first: int, count: int) -> list[bytes]:
        """The spellings of `count` values from `first` on; that of none is empty."""

    def report(self, text: bytes) -> Report: ...
    def report_value(self, value: int) -> Report: ...
    def report_word(self, word: bytes) -> Report: ...
    def report_batch(self, offsets: NDArray[np.int64], data: Buffer) -> tuple[NDArray[np.uint64], HushbitError | None]:
        """The reports of texts as in `privatize_batch`, up to the first that fails; also returns its error."""

    def report_values(self, values: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], HushbitError | None]:
        """The same of values by their numbers."""

# What mechanisms do apart from any text (native/include/hushbit/analysis.h): is_public (words,); weights of TEM, uint64
# (bits + 1,); crowd, uint32 (members, 3) of ids, shares and weights; output_weights, uint32 (words,); distance_counts,
# uint32 (codes, bits + 1); text_vectors and project, int64 (texts, d), NOT private; text_crowd, uint32 (k,).
def is_public(bundle: Bundle, words: NDArray[np.uint32]) -> NDArray[np.bool_]: ...
def weights(privatizer: Privatizer) -> NDArray[np.uint64]: ...
def crowd(privatizer: Privatizer, word: int) -> NDArray[np.uint32]: ...
def output_weights(privatizer: Privatizer) -> NDArray[np.uint32]: ...
def distance_counts(bundle: Bundle, codes: NDArray[np.uint8]) -> NDArray[np.uint32]: ...
def text_vectors(embedder: Embedder, texts: list[bytes]) -> NDArray[np.int64]: ...
def project(embedder: Embedder, rows: NDArray[np.float32]) -> NDArray[np.int64]: ...
def text_crowd(embedder: Embedder, vector: NDArray[np.int64]) -> NDArray[np.uint32]: ...
def nearest(
    bundle: Bundle, codes: NDArray[np.uint8], search: str = "auto", expected_flips: float | None = None
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    """`bundle.nearest(codes)` by any search, with the same answers; auto knows the `expected_flips` of codes."""

class SearchWork:
    """`hushbit_search_work`, field by field: sums over the queries."""

    rows: int
    clusters: int
    tiles: int
    planes: int
    lookups: int
    entries: int
    blocks: int
    fallbacks: int

def search_work(bundle: Bundle, codes: NDArray[np.uint8], search: str) -> SearchWork: ...
