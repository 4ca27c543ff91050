package dev.hushbit

import android.text.InputType
import android.view.inputmethod.EditorInfo

/**
 * Decides whether a keyboard may privatize and keep text from a field. It fails closed: a field is allowed only if it
 * is known to contain running text.
 *
 * A field says little about itself, and apps set these bits carelessly. An allowed field can still contain a secret, so
 * ask the user as well.
 */
public object FieldPolicy {
    /** The decision and its reason. */
    public enum class Decision {
        /** Running text. */
        ALLOWED,

        /** A password of any kind: hidden, visible, in a web form, or numeric. */
        PASSWORD,

        /** The host app asks for no personalized learning. */
        NO_PERSONALIZED_LEARNING,

        /** An e-mail address. */
        EMAIL,

        /** A web address. */
        URI,

        /** `TYPE_NULL`: a terminal or a game, which does not say what is typed. */
        NULL,

        /** Numbers, telephone numbers, dates: not words. */
        NOT_TEXT,

        /** Names, postal addresses, list filters: words that identify a person. */
        PERSONAL,

        /** The host app wants no suggestions: not running text, often a code or a secret. */
        NO_SUGGESTIONS,

        /** A class, variation, flag or action that this version does not know. */
        UNKNOWN,
        ;

        /** True only for [ALLOWED]. */
        public val isAllowed: Boolean
            get() = this == ALLOWED
    }

    /**
     * Evaluates what a field says of itself: its type, its options and what it is called, [EditorInfo.fieldName],
     * [EditorInfo.hintText] and [EditorInfo.label]. A keyboard asks [FieldHistory], which remembers passwords.
     *
     * @param autofillHints for an app that asks about a field of its own: the result of `View.getAutofillHints`. The
     *     system does not give them to keyboards. Every hint is a reason to refuse: there is none for running text.
     */
    @JvmStatic
    @JvmOverloads
    public fun evaluate(
        info: EditorInfo,
        autofillHints: List<String> = emptyList(),
    ): Decision {
        val names = listOfNotNull(info.fieldName, info.hintText, info.label)
        val reasons = listOf(evaluate(info.inputType, info.imeOptions), ofHints(autofillHints), ofNames(names))
        if (Decision.PASSWORD in reasons) return Decision.PASSWORD
        return reasons.find { !it.isAllowed } ?: Decision.ALLOWED
    }

    /** Evaluates `EditorInfo.inputType` and `EditorInfo.imeOptions` alone. */
    @JvmStatic
    public fun evaluate(
        inputType: Int,
        imeOptions: Int,
    ): Decision {
        val byType = ofType(inputType)
        return if (byType == Decision.ALLOWED) ofOptions(imeOptions) else byType
    }

    private fun ofHints(hints: List<String>): Decision =
        when {
            hints.isEmpty() -> Decision.ALLOWED
            hints.any(SECRET_HINT::containsMatchIn) -> Decision.PASSWORD
            else -> Decision.PERSONAL
        }

    /** What the field and its label are called; "cardNumber" is two words. */
    private fun ofNames(names: List<CharSequence>): Decision {
        val called = names.map { it.replace(CAMEL_CASE, "$1 $2") }
        return if (called.any(SecretNames.pattern::containsMatchIn)) Decision.PASSWORD else Decision.ALLOWED
    }

    private fun ofType(inputType: Int): Decision {
        if (inputType == InputType.TYPE_NULL) return Decision.NULL
        return when (inputType and InputType.TYPE_MASK_CLASS) {
            InputType.TYPE_CLASS_TEXT -> ofText(inputType)
            InputType.TYPE_CLASS_NUMBER -> ofNumber(inputType)
            InputType.TYPE_CLASS_PHONE, InputType.TYPE_CLASS_DATETIME -> Decision.NOT_TEXT
            else -> Decision.UNKNOWN
        }
    }

    private fun ofNumber(inputType: Int): Decision =
        when (inputType and InputType.TYPE_MASK_VARIATION) {
            InputType.TYPE_NUMBER_VARIATION_PASSWORD -> Decision.PASSWORD
            else -> Decision.NOT_TEXT
        }

    private fun ofText(inputType: Int): Decision {
        val byVariation = ofVariation(inputType and InputType.TYPE_MASK_VARIATION)
        val flags = inputType and (InputType.TYPE_MASK_CLASS or InputType.TYPE_MASK_VARIATION).inv()
        return when {
            byVariation != Decision.ALLOWED -> byVariation
            flags and TEXT_FLAGS.inv() != 0 -> Decision.UNKNOWN
            flags and InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS != 0 -> Decision.NO_SUGGESTIONS
            else -> Decision.ALLOWED
        }
    }

    private fun ofVariation(variation: Int): Decision =
        when (variation) {
            InputType.TYPE_TEXT_VARIATION_NORMAL,
            InputType.TYPE_TEXT_VARIATION_EMAIL_SUBJECT,
            InputType.TYPE_TEXT_VARIATION_SHORT_MESSAGE,
            InputType.TYPE_TEXT_VARIATION_LONG_MESSAGE,
            InputType.TYPE_TEXT_VARIATION_WEB_EDIT_TEXT,
            -> Decision.ALLOWED

            InputType.TYPE_TEXT_VARIATION_PASSWORD,
            InputType.TYPE_TEXT_VARIATION_VISIBLE_PASSWORD,
            InputType.TYPE_TEXT_VARIATION_WEB_PASSWORD,
            -> Decision.PASSWORD

            InputType.TYPE_TEXT_VARIATION_EMAIL_ADDRESS,
            InputType.TYPE_TEXT_VARIATION_WEB_EMAIL_ADDRESS,
            -> Decision.EMAIL

            InputType.TYPE_TEXT_VARIATION_URI -> Decision.URI

            InputType.TYPE_TEXT_VARIATION_PERSON_NAME,
            InputType.TYPE_TEXT_VARIATION_POSTAL_ADDRESS,
            InputType.TYPE_TEXT_VARIATION_FILTER,
            InputType.TYPE_TEXT_VARIATION_PHONETIC,
            -> Decision.PERSONAL

            else -> Decision.UNKNOWN
        }

    private fun ofOptions(imeOptions: Int): Decision =
        when {
            imeOptions and EditorInfo.IME_FLAG_NO_PERSONALIZED_LEARNING != 0 -> Decision.NO_PERSONALIZED_LEARNING
            imeOptions and EditorInfo.IME_MASK_ACTION > EditorInfo.IME_ACTION_PREVIOUS -> Decision.UNKNOWN
            imeOptions and (IME_FLAGS or EditorInfo.IME_MASK_ACTION).inv() != 0 -> Decision.UNKNOWN
            else -> Decision.ALLOWED
        }

    private const val TEXT_FLAGS =
        InputType.TYPE_TEXT_FLAG_CAP_CHARACTERS or
            InputType.TYPE_TEXT_FLAG_CAP_WORDS or
            InputType.TYPE_TEXT_FLAG_CAP_SENTENCES or
            InputType.TYPE_TEXT_FLAG_AUTO_CORRECT or
            InputType.TYPE_TEXT_FLAG_AUTO_COMPLETE or
            InputType.TYPE_TEXT_FLAG_MULTI_LINE or
            InputType.TYPE_TEXT_FLAG_IME_MULTI_LINE or
            InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS or
            InputType.TYPE_TEXT_FLAG_ENABLE_TEXT_CONVERSION_SUGGESTIONS

    private const val IME_FLAGS =
        EditorInfo.IME_FLAG_NO_PERSONALIZED_LEARNING or
            EditorInfo.IME_FLAG_NO_FULLSCREEN or
            EditorInfo.IME_FLAG_NAVIGATE_PREVIOUS or
            EditorInfo.IME_FLAG_NAVIGATE_NEXT or
            EditorInfo.IME_FLAG_NO_EXTRACT_UI or
            EditorInfo.IME_FLAG_NO_ACCESSORY_ACTION or
            EditorInfo.IME_FLAG_NO_ENTER_ACTION or
            EditorInfo.IME_FLAG_FORCE_ASCII

    private val SECRET_HINT = Regex("password|otp|card|cvc|cvv|upi", RegexOption.IGNORE_CASE)
    private val CAMEL_CASE = Regex("([a-z])([A-Z])")
}
