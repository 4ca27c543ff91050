// Written by tools/generate/layouts from native/include/hushbit. Change the header and run it again.
package dev.hushbit

/** Offsets of the fields of `hushbit_token`, in bytes. */
internal object TokenLayout {
    const val SIZE = 56
    const val KIND = 0
    const val WORD = 4
    const val BYTE_BEGIN = 8
    const val BYTE_END = 16
    const val UTF16_BEGIN = 24
    const val UTF16_END = 32
    const val OUTPUT_BEGIN = 40
    const val OUTPUT_END = 48
}

/** Offsets of the fields of `hushbit_cost`, in bytes. */
internal object CostLayout {
    const val SIZE = 80
    const val EPSILON = 8
    const val AVERAGE = 16
    const val WORST_CASE = 24
    const val WORDS = 32
    const val UNKNOWN = 40
    const val DROPPED = 48
    const val VERBATIM = 56
    const val PUBLIC_WORDS = 64
    const val EPSILON_UNIT = 72
}

/** Offsets of the fields of `hushbit_bundle_info`, in bytes. */
internal object BundleInfoLayout {
    const val SIZE = 136
    const val FORMAT_MAJOR = 8
    const val FORMAT_MINOR = 12
    const val BITS = 16
    const val WORDS = 20
    const val MAX_WORD_BYTES = 24
    const val MAX_DISTANCE = 28
    const val AVERAGE_DISTANCE = 32
    const val DEFAULT_EPSILON = 40
    const val DEFAULT_MECHANISM = 48
    const val UNICODE_VERSION = 52
    const val FILE_BYTES = 56
    const val HASH = 64
    const val MIH_FLIPS = 96
    const val DEFAULT_EPSILON_BRR = 104
    const val DEFAULT_EPSILON_TEM = 112
    const val OUTPUT_WORDS = 120
    const val PUBLIC_WORDS = 124
    const val DEFAULT_CROWD_SIZE = 128
    const val DEFAULT_EPSILON_UNIT = 132
}

/** Offsets of the fields of `hushbit_privatizer_info`, in bytes. */
internal object PrivatizerInfoLayout {
    const val SIZE = 120
    const val MECHANISM = 8
    const val GAMMA = 12
    const val REQUESTED_EPSILON = 16
    const val EFFECTIVE_EPSILON = 24
    const val FLIP_THRESHOLD = 32
    const val FLIP_PROBABILITY = 40
    const val AVERAGE_PER_TOKEN = 48
    const val WORST_CASE_PER_TOKEN = 56
    const val CLAMPED = 64
    const val MEMOIZED = 68
    const val EPSILON_UNIT = 72
    const val CROWD_SIZE = 76
    const val CROWD_MASS = 80
    const val OUTPUT_MASS = 84
    const val CROWD_THRESHOLD = 88
    const val CROWD_PROBABILITY = 96
    const val MEAN_CROWD = 104
    const val OUTPUT_WORDS = 112
    const val PUBLIC_WORDS = 116
}

/** Offsets of the fields of `hushbit_budget_state`, in bytes. */
internal object BudgetStateLayout {
    const val SIZE = 64
    const val DAY = 8
    const val WORST_CASE_TODAY = 16
    const val WORST_CASE_LIFETIME = 24
    const val TOKENS_TODAY = 32
    const val TOKENS_LIFETIME = 40
    const val TEXTS_TODAY = 48
    const val TEXTS_LIFETIME = 56
}

/** Offsets of the fields of `hushbit_embedder_info`, in bytes. */
internal object EmbedderInfoLayout {
    const val SIZE = 104
    const val REQUESTED_EPSILON = 8
    const val EFFECTIVE_EPSILON = 16
    const val SEED = 24
    const val DIMENSIONS = 32
    const val DIRECTIONS = 36
    const val CROWD_DIRECTIONS = 40
    const val CLAMPED = 44
    const val CROWD_THRESHOLD = 48
    const val CROWD_PROBABILITY = 56
    const val MEMOIZED = 64
    const val INPUT_NUMBERS = 68
    const val HASH = 72
}

/** Offsets of the fields of `hushbit_embedding`, in bytes. */
internal object EmbeddingLayout {
    const val SIZE = 32
    const val EPSILON = 8
    const val SIGNS = 16
    const val INDEX = 24
    const val DIMENSIONS = 28
}

/** Offsets of the fields of `hushbit_reporter_info`, in bytes. */
internal object ReporterInfoLayout {
    const val SIZE = 120
    const val REQUESTED_EPSILON = 8
    const val EFFECTIVE_EPSILON = 16
    const val REPORTS = 24
    const val THRESHOLD = 32
    const val PROBABILITY = 40
    const val VALUES = 48
    const val VALUE_COUNT = 52
    const val PRIME = 56
    const val DIMENSION = 60
    const val POINTS = 64
    const val SET_SIZE = 68
    const val GROUPS = 72
    const val MAX_VALUE_BYTES = 76
    const val HAS_NONE = 80
    const val MEMOIZED = 84
    const val HASH = 88
}

/** Offsets of the fields of `hushbit_report`, in bytes. */
internal object ReportLayout {
    const val SIZE = 32
    const val REPORT = 8
    const val EPSILON = 16
    const val VALUES = 24
}
