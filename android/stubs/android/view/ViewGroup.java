package android.view;

import android.content.Context;

public abstract class ViewGroup extends View {
    public ViewGroup(Context context) { super(context); }

    public void addView(View child) { throw new UnsupportedOperationException(); }

    public void addView(View child, int index) { throw new UnsupportedOperationException(); }

    public void removeViewAt(int index) { throw new UnsupportedOperationException(); }

    public void removeAllViews() { throw new UnsupportedOperationException(); }

    public static class LayoutParams {
        public static final int MATCH_PARENT = -1;
        public static final int WRAP_CONTENT = -2;
    }

    public static class MarginLayoutParams extends LayoutParams {}
}
