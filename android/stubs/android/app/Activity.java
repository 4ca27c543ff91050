package android.app;

import android.content.Intent;
import android.os.Bundle;
import android.view.ContextThemeWrapper;
import android.view.View;

public class Activity extends ContextThemeWrapper {
    protected void onCreate(Bundle savedInstanceState) { throw new UnsupportedOperationException(); }

    protected void onResume() { throw new UnsupportedOperationException(); }

    public void setContentView(View view) { throw new UnsupportedOperationException(); }

    public final void runOnUiThread(Runnable action) { throw new UnsupportedOperationException(); }

    public void startActivity(Intent intent) { throw new UnsupportedOperationException(); }
}
