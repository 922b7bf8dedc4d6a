package io.redrive.items;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Makes new files survive a loss of power. Syncing a file makes its content safe, but not its name: that is in the folder,
 * which must be synced as well. For sinks and stores that make files of their own.
 *
 * <pre>{@code
 * channel.force(true);                  // the content
 * FolderSync.sync(file.getParent());    // the name
 * }</pre>
 */
public final class FolderSync {

    private FolderSync() {}

    /**
     * Makes the names of all files and folders in {@code folder} safe. Does nothing on file systems without POSIX attributes,
     * such as NTFS, which cannot open a folder and write names through a journal of their own.
     *
     * @throws IOException when the folder cannot be opened or synced; its new files may then be lost
     */
    public static void sync(Path folder) throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /**
     * Creates {@code folder} where it is missing, within {@code existing}, and makes every name from {@code existing} down to
     * {@code folder} safe.
     */
    public static void create(Path folder, Path existing) throws IOException {
        Files.createDirectories(folder);
        // Also the names that were there: another process may have created them a moment ago.
        for (Path parent = folder.getParent(); parent != null; parent = parent.getParent()) {
            sync(parent);
            if (parent.equals(existing)) {
                return;
            }
        }
    }
}
