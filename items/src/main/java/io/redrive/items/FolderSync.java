package io.redrive.items;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Makes new files survive a loss of power. Syncing a file saves the content but not the name: the name is in the folder, which
 * needs a sync too. For sinks and stores that create files.
 *
 * <pre>{@code
 * channel.force(true);                  // the content
 * FolderSync.sync(file.getParent());    // the name
 * }</pre>
 */
public final class FolderSync {

    private FolderSync() {}

    /**
     * Syncs the names of all files and folders in {@code folder}. Has no effect on file systems without POSIX attributes, such as
     * NTFS, which cannot open a folder and write names through their own journal.
     *
     * @throws IOException when the folder cannot be opened or synced; a loss of power may then lose new files
     */
    public static void sync(Path folder) throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /**
     * Syncs the folder of {@code file}, as {@link #sync} does.
     *
     * @throws IOException when the folder cannot be opened or synced; its new files may then be lost
     */
    public static void syncFolderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            sync(folder);
        }
    }

    /**
     * Creates {@code folder} and its missing parents within {@code existing}, and syncs every name from {@code existing} down to
     * {@code folder}.
     */
    public static void create(Path folder, @Nullable Path existing) throws IOException {
        Files.createDirectories(folder);
        // Existing parents need a sync too: another process may have just created one without a sync so far.
        for (Path parent = folder.getParent(); parent != null; parent = parent.getParent()) {
            sync(parent);
            if (parent.equals(existing)) {
                return;
            }
        }
    }
}
