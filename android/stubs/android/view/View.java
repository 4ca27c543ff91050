package android.view;

import android.content.Context;

public class View {
    public static final int VISIBLE = 0;
    public static final int GONE = 8;
    public static final int ACCESSIBILITY_LIVE_REGION_POLITE = 1;

    public View(Context context) { throw new UnsupportedOperationException(); }

    public void setOnClickListener(OnClickListener l) { throw new UnsupportedOperationException(); }

    public final Context getContext() { throw new UnsupportedOperationException(); }

    public int getVisibility() { throw new UnsupportedOperationException(); }

    public void setVisibility(int visibility) { throw new UnsupportedOperationException(); }

    public void setPadding(int left, int top, int right, int bottom) { throw new UnsupportedOperationException(); }

    public void setFitsSystemWindows(boolean fitSystemWindows) { throw new UnsupportedOperationException(); }

    public void setAccessibilityLiveRegion(int mode) { throw new UnsupportedOperationException(); }

    public CharSequence getContentDescription() { throw new UnsupportedOperationException(); }

    public void setContentDescription(CharSequence contentDescription) { throw new UnsupportedOperationException(); }

    public ViewGroup.LayoutParams getLayoutParams() { throw new UnsupportedOperationException(); }

    public void setLayoutParams(ViewGroup.LayoutParams params) { throw new UnsupportedOperationException(); }

    public interface OnClickListener {
        void onClick(View v);
    }
}
