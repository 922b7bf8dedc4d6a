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
 * The files of one folder as a machine has them that may lose its power: {@link #losePower} takes back everything that was
 * not synced. Shows whether code that calls its data safe has synced the data, and the folder in which a new file stands.
 *
 * <pre>{@code
 * PowerLossFileSystem files = new PowerLossFileSystem(temporaryFolder);
 * Sink<String> sink = JsonLines.sink(files.path("out.jsonl"));
 * String position = …; // the sink writes
 * files.losePower();   // what the position promises must still be there
 * }</pre>
 *
 * <p>The rules are those of POSIX, which are stricter than most file systems: syncing a file makes its content safe, and
 * nothing else. A new file or folder survives only if the folder around it was synced afterwards ({@code FileChannel.open} on
 * the folder, then {@code force}). A deletion counts as safe at once. Only access through {@link #path} is seen: neither
 * native libraries, such as SQLite, nor {@code java.io.File}. Files that exist when the file system is made are safe.
 */
public final class PowerLossFileSystem extends FileSystem {

    private final Path root;
    private final PowerLossProvider provider = new PowerLossProvider(this);
    /** Safe files and folders. */
    private final Set<Path> entries = new HashSet<>();
    /** Content of each file as of its last sync. */
    private final Map<Path, byte[]> contents = new HashMap<>();

    /** Watches over this folder, and over what is in it. */
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

    /** Takes back everything that was not synced. Close open channels first: they would write on. */
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

    /** What is in this file, or the names in this folder, is safe now. */
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

    /** The file is gone, and another of its name is a new one. */
    synchronized void deleted(Path path) {
        entries.remove(path);
        contents.remove(path);
    }

    /** Folders before what is in them. */
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
        // Nothing to give back.
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
