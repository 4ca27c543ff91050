package android.os;

import java.io.Closeable;
import java.io.IOException;

public class ParcelFileDescriptor implements Closeable {
    public int getFd() { throw new UnsupportedOperationException(); }

    public void close() throws IOException {}
}
