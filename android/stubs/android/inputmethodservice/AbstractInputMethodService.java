package android.inputmethodservice;

import android.app.Service;

public abstract class AbstractInputMethodService extends Service {}
