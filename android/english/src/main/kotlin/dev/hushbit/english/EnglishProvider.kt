package dev.hushbit.english

import android.content.ContentProvider
import android.content.ContentValues
import android.content.Context
import android.database.Cursor
import android.net.Uri

/**
 * Knows the app's context, so that `Hushbit.open()` needs no argument. The system makes it before the app, in the app's
 * main process alone. It provides nothing.
 */
public class EnglishProvider : ContentProvider() {
    override fun onCreate(): Boolean {
        application = context
        return true
    }

    override fun query(
        uri: Uri,
        projection: Array<String>?,
        selection: String?,
        selectionArgs: Array<String>?,
        sortOrder: String?,
    ): Cursor? = null

    override fun getType(uri: Uri): String? = null

    override fun insert(
        uri: Uri,
        values: ContentValues?,
    ): Uri? = null

    override fun delete(
        uri: Uri,
        selection: String?,
        selectionArgs: Array<String>?,
    ): Int = 0

    override fun update(
        uri: Uri,
        values: ContentValues?,
        selection: String?,
        selectionArgs: Array<String>?,
    ): Int = 0

    internal companion object {
        @Volatile
        var application: Context? = null
    }
}
