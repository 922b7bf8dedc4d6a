package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.testkit.PowerLossFileSystem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A payload file named by a commit survives a power loss. */
final class PayloadFilesTest {

    @TempDir
    private Path dir;

    private PowerLossFileSystem disk;
    private PayloadFiles files;

    @BeforeEach
    void make() {
        disk = new PowerLossFileSystem(dir);
        files = new PayloadFiles(disk.path("runs.db-payloads"), 0);
    }

    @Test
    void the_first_payloads_survive_a_loss_of_power_with_their_new_folders() {
        Map<Long, String> names = files.write(7, "1-1", List.of(sample(0, "zero"), sample(1, "one")));
        disk.losePower();

        assertThat(names).containsExactlyInAnyOrderEntriesOf(Map.of(0L, "7/0-1-1", 1L, "7/1-1-1"));
        assertThat(files.read("7/0-1-1")).asString().isEqualTo("zero");
        assertThat(files.read("7/1-1-1")).asString().isEqualTo("one");
    }

    @Test
    void later_payloads_survive_a_loss_of_power_too() {
        files.write(7, "1-1", List.of(sample(0, "zero")));
        files.write(7, "1-2", List.of(sample(2, "two")));
        disk.losePower();

        assertThat(files.read("7/2-1-2")).asString().isEqualTo("two");
    }

    @Test
    void a_folder_that_another_process_deleted_is_created_again() throws Exception {
        files.write(7, "1-1", List.of(sample(0, "zero")));
        new PayloadFiles(disk.path("runs.db-payloads"), 0).deleteAll(7);
        assertThat(Files.exists(dir.resolve("runs.db-payloads/7"))).isFalse();

        files.write(7, "2-1", List.of(sample(0, "again")));
        disk.losePower();

        assertThat(files.read("7/0-2-1")).asString().isEqualTo("again");
    }

    private static SampleRecord sample(long ordinal, String payload) {
        return new SampleRecord(
                ordinal,
                "s" + ordinal,
                SampleState.READY,
                0,
                SampleRecord.Progress.NONE,
                new SampleRecord.Payload.Bytes(payload.getBytes(StandardCharsets.UTF_8)),
                true,
                null);
    }
}
