package dev.hushbit

import androidx.annotation.WorkerThread

/** What reports are about. */
public sealed class Values {
    internal abstract val value: Int
    internal open val list: List<String> get() = emptyList()

    /** The bundle's output words. A word is reported by its stand-in. */
    public object Words : Values() {
        override val value: Int get() = 1

        override fun toString(): String = "Words"
    }

    /** The emoji of the library's Unicode version. */
    public object Emoji : Values() {
        override val value: Int get() = 2

        override fun toString(): String = "Emoji"
    }

    /** Words that the bundle lacks (docs/counting.md). */
    public object NewWords : Values() {
        override val value: Int get() = 4

        override fun toString(): String = "NewWords"
    }

    /**
     * A list of your own: answers, screens, categories.
     *
     * @property values different values, none of them empty or with a line break.
     */
    public data class Listed(
        public val values: List<String>,
    ) : Values() {
        override val value: Int get() = 3
        override val list: List<String> get() = values
    }
}

/**
 * The options of a [Reporter].
 *
 * @property values what reports are about (default: [Values.Words]); a list has 2 to 2^24 values, "none" included.
 * @property epsilon of a whole text: 0.01 to 16 (default: 2).
 * @property punctuation for [Values.Words]: [PunctuationPolicy.PRIVATIZE] reports punctuation that has a word id, too.
 * @property skinTones for [Values.Emoji]: whether emoji with skin tones are values of their own.
 * @property none for [Values.Listed]: whether there is a value for texts that are not on the list.
 * @property passOver for [Values.Words]: words that are never reported; a public list.
 * @property memoization null for fresh randomness for every text; otherwise an equal text has an equal report within
 *     an epoch.
 * @property budget null for none; otherwise the epsilon of every text is spent there first, and one token counted.
 * @property auditLog null for none; otherwise a file to which every report appends a line of JSON: cost, day and the
 *     hash of the values, never text.
 */
public class ReporterOptions
    @JvmOverloads
    constructor(
        public val values: Values = Values.Words,
        public val epsilon: Double = 2.0,
        public val punctuation: PunctuationPolicy = PunctuationPolicy.DROP,
        public val skinTones: Boolean = false,
        public val none: Boolean = false,
        public val passOver: List<String> = emptyList(),
        public val memoization: Memoization? = null,
        public val budget: Budget? = null,
        public val auditLog: String? = null,
    )

/**
 * Releases one report about one value of a whole text, at one epsilon for the whole text. Created by [Bundle.reporter].
 *
 * For any two texts, of any length, and any report, the probabilities that it is released differ by a factor of at most
 * e to the power of epsilon. Immutable. Any number of threads may use the same reporter at once. [close] waits for
 * calls in progress and may be called more than once. All other methods then throw [IllegalStateException].
 */
public class Reporter internal constructor(
    pointer: Long,
) : AutoCloseable {
    private val handle = Handle(pointer, "Reporter", NativeWholeTexts::reporterDestroy)
    private val record = handle.use { Record(NativeWholeTexts.reporterInfo(it)) }
    private val maxValueBytes = record.int(ReporterInfoLayout.MAX_VALUE_BYTES)

    /** Its promises. Stays readable after [close]. */
    public val info: ReporterInfo = reporterInfo(record)

    /**
     * Reports one text of any length: one of its words, emoji or new words, drawn at random, or none. Of a list the
     * text is a value as a whole. With a budget it waits for the disk, so do not call it on the main thread.
     *
     * @throws HushbitException.InvalidText for half of a surrogate pair.
     * @throws HushbitException.UnknownWord for a text that is no value of a list without none.
     * @throws HushbitException.BudgetExhausted if the text would exceed a cap of the budget.
     * @throws HushbitException.RandomnessFailed if the operating system provides no randomness.
     * @throws IllegalStateException if this reporter is closed.
     */
    @WorkerThread
    public fun report(text: String): Report {
        noteSlow("Reporter.report")
        val utf8 = text.toUtf8()
        return handle.use { translated { report(Record(NativeWholeTexts.reportText(it, utf8))) } }
    }

    /**
     * The same for a value by its number, 0 to the number of values - 1.
     *
     * @throws HushbitException.InvalidArgument if there is no such value.
     */
    @WorkerThread
    public fun reportValue(value: Int): Report {
        noteSlow("Reporter.reportValue")
        return handle.use { translated { report(Record(NativeWholeTexts.reportValue(it, value))) } }
    }

    /**
     * The same for one word of which you know that it is new, with [Values.NewWords]. What is not 2 to 24 letters is
     * reported as none.
     */
    @WorkerThread
    public fun reportWord(word: String): Report {
        noteSlow("Reporter.reportWord")
        val utf8 = word.toUtf8()
        return handle.use { translated { report(Record(NativeWholeTexts.reportWord(it, utf8))) } }
    }

    /**
     * The spelling of a value by its number, 0 to the number of values - 1; empty for none.
     *
     * @throws HushbitException.InvalidArgument if there is no such value, and for new words.
     */
    public fun value(value: Int): String =
        handle
            .use { translated { NativeWholeTexts.reporterValue(it, value, maxValueBytes) } }
            .decodeToString()

    override fun close(): Unit = handle.close()

    override fun toString(): String = "Reporter(epsilon ${info.effectiveEpsilon} of a whole text)"
}

/**
 * What may be sent of a text.
 *
 * @property report its number, 0 to [ReporterInfo.reports] - 1.
 * @property values 16 hexadecimal digits that identify the values; reports of different ones cannot be added up.
 * @property epsilon the requested epsilon of the text.
 */
@ConsistentCopyVisibility
public data class Report internal constructor(
    public val report: Long,
    public val values: String,
    public val epsilon: Double,
) {
    /** One line of JSON, without its end, as `hushbit count` reads it. */
    public fun toJson(): String = """{"report": $report, "values": "$values", "epsilon": $epsilon, "version": 1}"""
}

/**
 * The promises of a reporter, computed from the integers with which it draws.
 *
 * @property requestedEpsilon the requested epsilon.
 * @property effectiveEpsilon of a whole text: the epsilon that actually holds, never above the requested one.
 * @property memoized whether an equal text has an equal report within an epoch.
 * @property valueCount the number of values, none included; they are numbered from 0.
 * @property hasNone whether value 0 is none: a text without anything to report.
 * @property reports how many reports there are; they are numbered from 0.
 * @property threshold a report belongs to its value if a uniform unsigned 64-bit integer is below this.
 * @property probability [threshold] divided by 2 to the 64th.
 * @property hash identifies the values, in hexadecimal.
 */
@ConsistentCopyVisibility
public data class ReporterInfo internal constructor(
    public val requestedEpsilon: Double,
    public val effectiveEpsilon: Double,
    public val memoized: Boolean,
    public val valueCount: Int,
    public val hasNone: Boolean,
    public val reports: Long,
    public val threshold: ULong,
    public val probability: Double,
    public val hash: String,
)

/** Creates the native reporter; the caller keeps [bundle] alive. */
internal fun createReporter(
    bundle: Long,
    options: ReporterOptions,
): Long =
    with(options) {
        val create = { budgetPointer: Long ->
            translated {
                NativeWholeTexts.reporterCreate(
                    bundle = bundle,
                    values = values.value,
                    epsilon = epsilon,
                    punctuation = punctuation.value,
                    skinTones = skinTones,
                    none = none,
                    list = lines(values.list),
                    passOver = lines(passOver),
                    deviceKey = memoization?.key,
                    epoch = memoization?.epoch ?: 0,
                    budget = budgetPointer,
                    auditLog = auditLog?.toPath(),
                )
            }
        }
        if (budget == null) create(0) else budget.handle.use(create)
    }

private fun lines(list: List<String>): ByteArray {
    if (list.any { '\n' in it }) throw HushbitException.InvalidArgument("a value or word contains a line break")
    return list.joinToString("\n").toUtf8()
}

/** Reads a `hushbit_report`. */
internal fun report(record: Record): Report =
    Report(
        report = record.long(ReportLayout.REPORT),
        values = record.hex(ReportLayout.VALUES, 8),
        epsilon = record.double(ReportLayout.EPSILON),
    )

/** Reads a `hushbit_reporter_info`. */
private fun reporterInfo(record: Record): ReporterInfo =
    ReporterInfo(
        requestedEpsilon = record.double(ReporterInfoLayout.REQUESTED_EPSILON),
        effectiveEpsilon = record.double(ReporterInfoLayout.EFFECTIVE_EPSILON),
        memoized = record.int(ReporterInfoLayout.MEMOIZED) != 0,
        valueCount = record.int(ReporterInfoLayout.VALUE_COUNT),
        hasNone = record.int(ReporterInfoLayout.HAS_NONE) != 0,
        reports = record.long(ReporterInfoLayout.REPORTS),
        threshold = record.long(ReporterInfoLayout.THRESHOLD).toULong(),
        probability = record.double(ReporterInfoLayout.PROBABILITY),
        hash = record.hex(ReporterInfoLayout.HASH, 32),
    )
