package android.view;

import android.content.Context;
import java.util.ArrayList;
import java.util.List;

/** In the place of the stub: views in order. */
public abstract class ViewGroup extends View {
    private final List<View> children = new ArrayList<>();

    public ViewGroup(Context context) { super(context); }

    public void addView(View child) { children.add(child); }

    public void addView(View child, int index) { children.add(index, child); }

    public int getChildCount() { return children.size(); }

    public View getChildAt(int index) { return children.get(index); }

    public void removeViewAt(int index) { children.remove(index); }

    public void removeAllViews() { children.clear(); }

    public static class LayoutParams {
        public static final int MATCH_PARENT = -1;
        public static final int WRAP_CONTENT = -2;
    }

    public static class MarginLayoutParams extends LayoutParams {}
}
