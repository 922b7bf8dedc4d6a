package io.redrive.testkit;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** Delegates to the machine's file system, and reports syncs and deletions to a {@link PowerLossFileSystem}. */
final class PowerLossProvider extends FileSystemProvider {

    private final PowerLossFileSystem files;

    PowerLossProvider(PowerLossFileSystem files) {
        this.files = files;
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Path real = PowerLossPath.real(path);
        return new PowerLossChannel(FileChannel.open(real, options, attributes), () -> files.synced(real));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(
                PowerLossPath.real(folder), path -> filter.accept(new PowerLossPath(files, path)));
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> paths = stream.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return paths.hasNext();
                    }

                    @Override
                    public Path next() {
                        return new PowerLossPath(files, paths.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                stream.close();
            }
        };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        Files.createDirectory(PowerLossPath.real(folder), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(PowerLossPath.real(path));
        files.deleted(PowerLossPath.real(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        files.deleted(PowerLossPath.real(target));
        Files.copy(PowerLossPath.real(source), PowerLossPath.real(target), options);
    }

    /** Renames: until the folder is synced, a loss of power loses both names, which is worse than any real one. */
    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        Files.move(PowerLossPath.real(source), PowerLossPath.real(target), options);
        files.moved(PowerLossPath.real(source), PowerLossPath.real(target));
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return Files.isSameFile(PowerLossPath.real(one), PowerLossPath.real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(PowerLossPath.real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(PowerLossPath.real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        Path real = PowerLossPath.real(path);
        real.getFileSystem().provider().checkAccess(real, modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(PowerLossPath.real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(PowerLossPath.real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(PowerLossPath.real(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        Files.setAttribute(PowerLossPath.real(path), attribute, value, options);
    }

    @Override
    public String getScheme() {
        return "power-loss";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException("make a PowerLossFileSystem with its constructor");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return files;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException("get a path with PowerLossFileSystem.path(…)");
    }
}
