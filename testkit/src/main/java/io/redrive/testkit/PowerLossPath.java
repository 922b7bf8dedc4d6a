package io.redrive.testkit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path of a {@link PowerLossFileSystem}, around the path of the machine's file system. */
record PowerLossPath(PowerLossFileSystem fileSystem, Path real) implements Path {

    /** Returns the machine's path behind {@code path}. */
    static Path real(Path path) {
        return path instanceof PowerLossPath wrapped ? wrapped.real : path;
    }

    private Path wrapped(Path path) {
        return new PowerLossPath(fileSystem, path);
    }

    private @Nullable Path wrappedOrNull(@Nullable Path path) {
        return path == null ? null : wrapped(path);
    }

    @Override
    public FileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return wrappedOrNull(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return wrappedOrNull(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return wrappedOrNull(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return wrapped(real.getName(index));
    }

    @Override
    public Path subpath(int beginIndex, int endIndex) {
        return wrapped(real.subpath(beginIndex, endIndex));
    }

    @Override
    public boolean startsWith(Path other) {
        return real.startsWith(real(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return real.endsWith(real(other));
    }

    @Override
    public Path normalize() {
        return wrapped(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return wrapped(real.resolve(real(other)));
    }

    @Override
    public Path relativize(Path other) {
        return wrapped(real.relativize(real(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return wrapped(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return wrapped(real.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        return real.register(watcher, events, modifiers);
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(real(other));
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
