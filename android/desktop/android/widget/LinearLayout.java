package android.widget;

import android.content.Context;
import android.view.ViewGroup;

/** In the place of the stub. */
public class LinearLayout extends ViewGroup {
    public static final int HORIZONTAL = 0;
    public static final int VERTICAL = 1;

    private int orientation;

    public LinearLayout(Context context) { super(context); }

    public int getOrientation() { return orientation; }

    public void setOrientation(int orientation) { this.orientation = orientation; }

    public static class LayoutParams extends ViewGroup.MarginLayoutParams {
        public LayoutParams(int width, int height, float weight) {}
    }
}
