package io.redrive.jdbc;

import io.redrive.events.StoreException;
import io.redrive.items.FolderSync;
import io.redrive.items.store.SampleRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Large payloads as files in a folder beside the database: a database is slow with megabytes in its rows, and keeps the
 * space of deleted ones. A file, and its folder, is synced before the commit that names the file, and deleted after the
 * commit that removes the name. A crash in between leaves a file without a name in the database; the file is swept when
 * a process joins its run as the only worker, or when the run is deleted.
 */
final class PayloadFiles {

    private final Path folder;
    private final int inline;
    /** Runs whose folder this process has created and synced. */
    private final Set<Long> safe = ConcurrentHashMap.newKeySet();

    /** Payloads of up to {@code inline} bytes stay in the database. */
    PayloadFiles(Path folder, int inline) {
        this.folder = folder.toAbsolutePath();
        this.inline = inline;
    }

    boolean isLarge(byte @Nullable [] payload) {
        return payload != null && payload.length > inline;
    }

    /** True when the run may have files. */
    boolean hasAny(long run) {
        return Files.isDirectory(folderOf(run));
    }

    /**
     * Writes and syncs the payloads of samples. Returns the names of the files by ordinal. A name consists of the run's
     * number, the sample's ordinal and {@code unique}, which must differ between commits.
     */
    Map<Long, String> write(long run, String unique, List<SampleRecord> samples) {
        Map<Long, String> names = new HashMap<>();
        createFolder(run);
        for (SampleRecord sample : samples) {
            String name = run + "/" + sample.ordinal() + "-" + unique;
            write(folder.resolve(name), sample.bytes());
            names.put(sample.ordinal(), name);
        }
        try {
            FolderSync.sync(folderOf(run));
        } catch (IOException e) {
            throw failed(folderOf(run), "cannot be synced; check the disk and its permissions", e);
        }
        return names;
    }

    private void createFolder(long run) {
        if (safe.contains(run) && hasAny(run)) {
            return;
        }
        try {
            FolderSync.create(folderOf(run), folder.getParent());
            safe.add(run);
        } catch (IOException e) {
            throw failed(folderOf(run), "cannot be created; check the disk and its permissions", e);
        }
    }

    private static void write(Path file, byte[] payload) {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(payload);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            throw failed(file, "cannot be written; check the disk and its permissions", e);
        }
    }

    /** The sample's ordinal in the name of its file. */
    static long ordinalOf(String name) {
        return Long.parseLong(name.substring(name.indexOf('/') + 1, name.indexOf('-')));
    }

    byte[] read(String name) {
        Path file = folder.resolve(name);
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw failed(file, "is missing; it belongs to the database beside it, put it back", e);
        } catch (IOException e) {
            throw failed(file, "cannot be read; check the disk and its permissions", e);
        }
    }

    /** Deletes a file. A failure is ignored, because a file left behind only takes space. */
    void delete(String name) {
        try {
            Files.deleteIfExists(folder.resolve(name));
        } catch (IOException e) {
            // Swept later.
        }
    }

    /** The names of all payload files of a run; leaves out foreign files in the folder. */
    List<String> list(long run) {
        List<String> names = new ArrayList<>();
        if (hasAny(run)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folderOf(run), PayloadFiles::isOurs)) {
                files.forEach(file -> names.add(run + "/" + file.getFileName()));
            } catch (IOException | DirectoryIteratorException e) {
                // Files left behind only take space; the next sweep tries again.
                names.clear();
            }
        }
        return names;
    }

    /** Deletes all files of a run without workers. */
    void deleteAll(long run) {
        list(run).forEach(this::delete);
        try {
            Files.deleteIfExists(folderOf(run));
        } catch (IOException e) {
            // The folder has foreign files, or the disk fails; an empty folder does no harm.
        }
    }

    private static boolean isOurs(Path file) {
        return file.getFileName().toString().matches("\\d+-\\d+-\\d+");
    }

    private Path folderOf(long run) {
        return folder.resolve(Long.toString(run));
    }

    private static StoreException failed(Path file, String what, IOException e) {
        return new StoreException("payload file " + file + " " + what + " (" + e.getMessage() + ")", e);
    }
}
