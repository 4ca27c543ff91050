package dev.hushbit

import android.view.inputmethod.EditorInfo
import dev.hushbit.FieldPolicy.Decision

/**
 * What [FieldPolicy] says of fields, with a memory: a field that was a password stays one. A button that shows a
 * password makes it a field of text.
 *
 * A keyboard has one for as long as its process lives, and asks it on the main thread in every `onStartInput`. It
 * contains names of apps and fields, nothing that was typed.
 */
public class FieldHistory {
    private data class Field(
        val app: String?,
        val id: Int,
        val name: String?,
    ) {
        /** Fields of browsers and of toolkits that draw their own have no id: one looks like another. */
        val isAnonymous get() = (id == 0 || id == NO_ID) && name.isNullOrEmpty()
    }

    private val passwords = HashSet<Field>()
    private var current: Field? = null

    /**
     * Evaluates a field. Where an app had a password without an id, every other field without an id is
     * [Decision.UNKNOWN]: it cannot be told from that one.
     *
     * @param restarting of `onStartInput`: whether this is certainly the same field as before.
     */
    public fun evaluate(
        info: EditorInfo,
        restarting: Boolean,
    ): Decision {
        val described = Field(info.packageName, info.fieldId, info.fieldName)
        val fields = listOfNotNull(described, current.takeIf { restarting })
        current = described
        val decision = FieldPolicy.evaluate(info)
        val wasPassword = fields.any(passwords::contains)
        if (decision == Decision.PASSWORD || (restarting && wasPassword)) passwords.addAll(fields)
        return when {
            !decision.isAllowed || !wasPassword -> decision
            described.isAnonymous && !restarting -> Decision.UNKNOWN
            else -> Decision.PASSWORD
        }
    }

    private companion object {
        const val NO_ID = -1 // View.NO_ID
    }
}
