package io.redrive.testkit.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.FolderSync;
import io.redrive.testkit.PowerLossFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writes undone by a power loss. */
final class PowerLossFileSystemTest {

    @TempDir
    private Path folder;

    private PowerLossFileSystem files;

    @BeforeEach
    void watch() throws IOException {
        Files.writeString(folder.resolve("old"), "old");
        files = new PowerLossFileSystem(folder);
    }

    @Test
    void writes_after_the_last_sync_are_undone() throws IOException {
        try (FileChannel channel = FileChannel.open(files.path("old"), StandardOpenOption.APPEND)) {
            write(channel, " synced");
            channel.force(false);
            write(channel, " not synced");
        }
        files.losePower();

        assertThat(folder.resolve("old")).hasContent("old synced");
    }

    @Test
    void a_new_file_is_lost_unless_its_folder_is_synced() throws IOException {
        writeNew("lost", true);
        files.losePower();
        assertThat(folder.resolve("lost")).doesNotExist();

        writeNew("kept", true);
        syncFolder("");
        files.losePower();
        assertThat(folder.resolve("kept")).hasContent("new");
    }

    @Test
    void a_new_file_whose_content_was_not_synced_is_empty() throws IOException {
        writeNew("empty", false);
        syncFolder("");
        files.losePower();

        assertThat(folder.resolve("empty")).isEmptyFile();
    }

    @Test
    void a_new_folder_is_lost_with_all_in_it_unless_the_folder_around_it_is_synced() throws IOException {
        Files.createDirectories(files.path("a/b"));
        writeNew("a/b/file", true);
        syncFolder("a/b");
        syncFolder("a");
        files.losePower();

        assertThat(folder.resolve("a")).doesNotExist();
        assertThat(folder.resolve("old")).hasContent("old");
    }

    private void writeNew(String name, boolean synced) throws IOException {
        try (FileChannel channel =
                FileChannel.open(files.path(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(channel, "new");
            if (synced) {
                channel.force(true);
            }
        }
    }

    private void syncFolder(String name) throws IOException {
        try (FileChannel channel = FileChannel.open(files.path(name), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void write(FileChannel channel, String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void folders_that_were_created_safely_are_there_after_a_loss_of_power() throws IOException {
        FolderSync.create(files.path("one/two/three"), files.path(""));
        files.losePower();

        assertThat(folder.resolve("one/two/three")).isDirectory();
    }
}
