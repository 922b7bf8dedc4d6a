package io.redrive.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a folder on a machine that may lose power: {@link #losePower} undoes every write that was not synced.
 * Tests whether code that promises safe data has synced the data, and the folder of a new file.
 *
 * <pre>{@code
 * PowerLossFileSystem files = new PowerLossFileSystem(temporaryFolder);
 * Sink<String> sink = JsonLines.sink(files.path("out.jsonl"));
 * String position = …; // the sink writes
 * files.losePower();   // the bytes up to the position must still exist
 * }</pre>
 *
 * <p>The rules are those of POSIX, which are stricter than most file systems: syncing a file makes its content safe,
 * not its name. A new file or folder survives only if its parent folder was synced afterwards ({@code FileChannel.open}
 * on the folder, and {@code force}). A deletion counts as safe at once. Only access through {@link #path} is seen, not
 * access by native libraries, such as SQLite, or by {@code java.io.File}. Files that exist when the file system is made
 * are safe.
 */
public final class PowerLossFileSystem extends FileSystem {

    private final Path root;
    private final PowerLossProvider provider = new PowerLossProvider(this);
    /** Safe files and folders. */
    private final Set<Path> entries = new HashSet<>();
    /** Content of each file as of its last sync. */
    private final Map<Path, byte[]> contents = new HashMap<>();

    /** Watches this folder and its content. */
    public PowerLossFileSystem(Path root) {
        this.root = root.toAbsolutePath().normalize();
        all().forEach(path -> {
            entries.add(path);
            synced(path);
        });
    }

    /** The file or folder of this name in the watched folder. */
    public Path path(String name) {
        return new PowerLossPath(this, root.resolve(name));
    }

    /** Undoes every write that was not synced. Close open channels first, because they would continue to write. */
    public synchronized void losePower() {
        for (Path path : all()) {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                continue;
            }
            if (!entries.contains(path)) {
                deleteTree(path);
            } else if (Files.isRegularFile(path)) {
                write(path, contents.getOrDefault(path, new byte[0]));
            }
        }
    }

    /** Notes a sync: the content of this file, or the names in this folder, are safe. */
    synchronized void synced(Path path) {
        try {
            if (Files.isDirectory(path)) {
                try (Stream<Path> children = Files.list(path)) {
                    children.forEach(entries::add);
                }
            } else {
                contents.put(path, Files.readAllBytes(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes a deletion: another file of this name is a new file. */
    synchronized void deleted(Path path) {
        entries.remove(path);
        contents.remove(path);
    }

    /** Notes a rename: the content that was safe stays safe, the new name is not safe yet. */
    synchronized void moved(Path source, Path target) {
        byte[] content = contents.get(source);
        deleted(source);
        deleted(target);
        if (content != null) {
            contents.put(target, content);
        }
    }

    /** All files and folders; each folder comes before its content. */
    private List<Path> all() {
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(path -> !path.equals(root)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteTree(Path path) {
        try (Stream<Path> tree = Files.walk(path)) {
            for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
                deleted(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path path, byte[] content) {
        try {
            Files.write(path, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        return new PowerLossPath(this, FileSystems.getDefault().getPath(first, more));
    }

    @Override
    public void close() {
        // Holds no resources.
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return root.getFileSystem().getSeparator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(new PowerLossPath(this, root.getRoot()));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return root.getFileSystem().getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return root.getFileSystem().supportedFileAttributeViews();
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher matcher = root.getFileSystem().getPathMatcher(syntaxAndPattern);
        return path -> matcher.matches(PowerLossPath.real(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return root.getFileSystem().getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        return root.getFileSystem().newWatchService();
    }
}
