package android.view;

import android.content.Context;

/** In the place of the stub: a view that nobody sees, which can be pressed. */
public class View {
    public static final int VISIBLE = 0;
    public static final int GONE = 8;
    public static final int ACCESSIBILITY_LIVE_REGION_POLITE = 1;

    private final Context context;
    private OnClickListener listener;
    private int visibility = VISIBLE;
    private CharSequence description;
    private ViewGroup.LayoutParams layout;

    public View(Context context) { this.context = context; }

    public void setOnClickListener(OnClickListener l) { listener = l; }

    public boolean performClick() {
        listener.onClick(this);
        return true;
    }

    public final Context getContext() { return context; }

    public int getVisibility() { return visibility; }

    public void setVisibility(int visibility) { this.visibility = visibility; }

    public void setPadding(int left, int top, int right, int bottom) {}

    public void setFitsSystemWindows(boolean fitSystemWindows) {}

    public void setAccessibilityLiveRegion(int mode) {}

    public CharSequence getContentDescription() { return description; }

    public void setContentDescription(CharSequence contentDescription) { description = contentDescription; }

    public ViewGroup.LayoutParams getLayoutParams() { return layout; }

    public void setLayoutParams(ViewGroup.LayoutParams params) { layout = params; }

    public interface OnClickListener {
        void onClick(View v);
    }
}
