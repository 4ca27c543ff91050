package android.content.res;

import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** In the place of the stub: the files of the directories that the property `hushbit.assets` names. */
public final class AssetManager {
    private static final int BEFORE = 4 * 1009;  // where an asset begins in a package: at a multiple of 4
    private static final List<File> FILES = new ArrayList<>();

    static {
        for (String directory : System.getProperty("hushbit.assets").split(File.pathSeparator)) {
            for (File file : new File(directory).listFiles(File::isFile)) FILES.add(file);
        }
    }

    public String[] list(String path) { return FILES.stream().map(File::getName).toArray(String[]::new); }

    public InputStream open(String fileName) throws IOException { return new FileInputStream(find(fileName)); }

    /** As the packager does it with noCompress += "hushbit", in a file of its own. */
    public AssetFileDescriptor openFd(String fileName) throws IOException {
        byte[] content = Files.readAllBytes(find(fileName).toPath());
        if (!fileName.endsWith(".hushbit")) throw new FileNotFoundException(fileName + " is compressed");
        byte[] all = new byte[BEFORE + content.length + 1];
        System.arraycopy(content, 0, all, BEFORE, content.length);
        Path packed = Files.createTempFile("hushbit", ".apk");
        Files.write(packed, all);
        FileInputStream stream = new FileInputStream(packed.toFile());
        Files.delete(packed);
        return new AssetFileDescriptor() {
            @Override
            public ParcelFileDescriptor getParcelFileDescriptor() {
                return new ParcelFileDescriptor() {
                    @Override
                    public int getFd() { return number(stream); }
                };
            }

            @Override
            public long getStartOffset() { return BEFORE; }

            @Override
            public long getLength() { return content.length; }

            @Override
            public void close() throws IOException { stream.close(); }
        };
    }

    private static File find(String name) throws FileNotFoundException {
        for (File file : FILES) {
            if (file.getName().equals(name)) return file;
        }
        throw new FileNotFoundException(name);
    }

    /** The number of a descriptor, which Java hides. */
    private static int number(FileInputStream stream) {
        try {
            var field = FileDescriptor.class.getDeclaredField("fd");
            field.setAccessible(true);
            return field.getInt(stream.getFD());
        } catch (ReflectiveOperationException | IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
