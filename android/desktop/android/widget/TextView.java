package android.widget;

import android.content.Context;
import android.view.View;

/** In the place of the stub: it has its text, or fails as long as a test says so. */
public class TextView extends View {
    public static boolean fails;

    private CharSequence text = "";

    public TextView(Context context) { super(context); }

    public CharSequence getText() { return text; }

    public final void setText(CharSequence text) {
        if (fails) throw new IllegalStateException("the view failed");
        this.text = text;
    }

    public final void setText(int resid) { setText(getContext().getString(resid)); }

    public void setAllCaps(boolean allCaps) {}

    public void setMinWidth(int minPixels) {}
}
