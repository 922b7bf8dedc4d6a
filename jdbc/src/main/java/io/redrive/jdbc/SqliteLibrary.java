package io.redrive.jdbc;

import io.redrive.core.Time;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's native library on a thread of its own, while the thread that opens a store loads the classes. The library is unpacked
 * from the driver's jar once in each process, which takes as long as all classes together.
 *
 * <p>On Linux with glibc this class unpacks the library itself and shows the driver the folder: the driver would start the process
 * {@code uname} to recognise Android, look at every mapped file for another C library, and read the library from its jar twice. On every
 * other platform, when an application says where the library is, and when anything fails, the driver unpacks.
 */
final class SqliteLibrary {

    /** The driver's property: the folder in which the driver looks before its own jar. */
    static final String FOLDER = "org.sqlite.lib.path";

    private static final String NAME = "org.sqlite.lib.name";
    private static final String FILE = "libsqlitejdbc.so";
    private static final Path MAPPED_FILES = Path.of("/proc/self/maps");
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private SqliteLibrary() {}

    /** Begins to load the library, at the first call in a process, and returns at once. The first connection waits for the library. */
    static void load() {
        if (!BEGUN.get() && BEGUN.compareAndSet(false, true)) {
            Thread thread = new Thread(SqliteLibrary::initialize, "redrive-sqlite-library");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void initialize() {
        try {
            Optional<Path> folder = unpackForDriver();
            try {
                SQLiteJDBCLoader.initialize();
            } finally {
                if (folder.isPresent()) {
                    System.clearProperty(FOLDER);
                    delete(folder.get());
                }
            }
        } catch (Exception e) {
            // The first connection tries again and reports the same failure to its caller.
            BEGUN.set(false);
        }
    }

    /** Unpacks the library and sets {@link #FOLDER}. Returns the folder, or empty when the driver has to unpack. */
    private static Optional<Path> unpackForDriver() {
        if (System.getProperty(FOLDER) != null || System.getProperty(NAME) != null) {
            return Optional.empty();
        }
        try {
            Optional<String> resource = resource();
            if (resource.isEmpty()) {
                return Optional.empty();
            }
            String parent = System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir"));
            Optional<Path> folder = unpack(resource.get(), Path.of(parent));
            folder.ifPresent(made -> System.setProperty(FOLDER, made.toString()));
            return folder;
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the library's name in the driver's jar, or empty on platforms that only the driver recognises. */
    static Optional<String> resource() throws IOException {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return Optional.empty();
        }
        String processor = System.getProperty("os.arch");
        if (processor.equals("amd64")) {
            processor = "x86_64";
        } else if (!processor.equals("aarch64")) {
            return Optional.empty();
        }
        // Not as UTF-8: names of files are any bytes.
        String mapped = new String(Files.readAllBytes(MAPPED_FILES), StandardCharsets.ISO_8859_1);
        return mapped.contains("/libc.so.6\n") && !mapped.contains("/ld-musl")
                ? Optional.of("/org/sqlite/native/Linux/" + processor + '/' + FILE)
                : Optional.empty();
    }

    /**
     * Unpacks the library to a new folder, which only this user may enter or change: no other user can put another library in its place.
     * Returns empty when the driver has no such library.
     */
    static Optional<Path> unpack(String resource, Path parent) throws IOException {
        try (InputStream library = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (library == null) {
                return Optional.empty();
            }
            String name = "redrive-sqlite-" + ProcessHandle.current().pid() + '-'
                    + Time.system().nanos();
            Path folder = Files.createDirectory(
                    parent.toAbsolutePath().resolve(name),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path file = folder.resolve(FILE);
            // For a process that ends while this thread loads the library. The file goes before the folder.
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            try {
                Files.write(file, library.readAllBytes());
            } catch (IOException e) {
                delete(folder);
                throw e;
            }
            return Optional.of(folder);
        }
    }

    /** A process keeps the library that it has loaded when the file is deleted. */
    private static void delete(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve(FILE));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // The end of the process tries again.
            return;
        }
    }
}
