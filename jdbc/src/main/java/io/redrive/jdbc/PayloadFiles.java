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
 * Large payloads as files in a folder beside the database: a database is slow with megabytes in its rows, and never gives
 * their space back. A file is written and synced, with the folder it is in, before the commit that names it, and deleted after
 * the one that no longer does; a crash in between leaves a file that nobody names, to be swept when its run is joined by a process that is alone
 * with it, or deleted.
 */
final class PayloadFiles {

    private final Path folder;
    private final int inline;
    /** Runs whose folder this process has made safe. */
    private final Set<Long> safe = ConcurrentHashMap.newKeySet();

    /** Payloads of up to {@code inline} bytes stay in the database. */
    PayloadFiles(Path folder, int inline) {
        this.folder = folder.toAbsolutePath();
        this.inline = inline;
    }

    boolean isLarge(byte @Nullable [] payload) {
        return payload != null && payload.length > inline;
    }

    /** True when a file of the run may be here. */
    boolean hasAny(long run) {
        return Files.isDirectory(folderOf(run));
    }

    /**
     * Writes the payloads of samples and makes the files safe. Returns their names by ordinal: the run's number, the sample's
     * place and {@code unique}, which no other commit has.
     */
    Map<Long, String> write(long run, String unique, List<SampleRecord> samples) {
        Map<Long, String> names = new HashMap<>();
        createFolder(run);
        for (SampleRecord sample : samples) {
            String name = run + "/" + sample.ordinal() + "-" + unique;
            write(folder.resolve(name), sample.payload());
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

    /** The sample's place in the name of its file. */
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

    /** A file that stays behind does no harm but take space, so nobody is told. */
    void delete(String name) {
        try {
            Files.deleteIfExists(folder.resolve(name));
        } catch (IOException e) {
            // Swept later.
        }
    }

    /** The names of all files of a run; what else somebody put there is left alone. */
    List<String> list(long run) {
        List<String> names = new ArrayList<>();
        if (hasAny(run)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folderOf(run), PayloadFiles::isOurs)) {
                files.forEach(file -> names.add(run + "/" + file.getFileName()));
            } catch (IOException | DirectoryIteratorException e) {
                // What is left takes space and no more; the next sweep tries again.
                names.clear();
            }
        }
        return names;
    }

    /** Deletes all files of a run that nobody works on. */
    void deleteAll(long run) {
        list(run).forEach(this::delete);
        try {
            Files.deleteIfExists(folderOf(run));
        } catch (IOException e) {
            // Something else is in it, or the disk fails: an empty folder is no matter.
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
