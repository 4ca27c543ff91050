package android.widget;

import android.content.Context;

public abstract class CompoundButton extends Button {
    public CompoundButton(Context context) { super(context); }

    public void setChecked(boolean checked) { throw new UnsupportedOperationException(); }

    public void setOnCheckedChangeListener(OnCheckedChangeListener listener) {
        throw new UnsupportedOperationException();
    }

    public interface OnCheckedChangeListener {
        void onCheckedChanged(CompoundButton buttonView, boolean isChecked);
    }
}
