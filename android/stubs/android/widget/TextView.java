package android.widget;

import android.content.Context;
import android.view.View;

public class TextView extends View {
    public TextView(Context context) { super(context); }

    public CharSequence getText() { throw new UnsupportedOperationException(); }

    public final void setText(CharSequence text) { throw new UnsupportedOperationException(); }

    public final void setText(int resid) { throw new UnsupportedOperationException(); }

    public void setAllCaps(boolean allCaps) { throw new UnsupportedOperationException(); }

    public void setMinWidth(int minPixels) { throw new UnsupportedOperationException(); }
}
