package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.redrive.events.Event;
import io.redrive.events.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks really full and really read-only. Needs the right to mount a disk of a few megabytes, and is skipped without.
 */
final class TroubledDiskIT {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int DISK_BYTES = 4 * 1024 * 1024;

    @TempDir
    private Path disk;

    @BeforeEach
    void mountSmallDisk() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk.toString()));
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    @Test
    void a_store_on_a_full_disk_says_so_loses_nothing_and_works_again_when_there_is_space() throws IOException {
        Path reserve = Files.write(disk.resolve("reserve"), new byte[DISK_BYTES / 4]);
        try (SqliteStore store = SqliteStore.open(disk.resolve("events.db"))) {
            int[] accepted = {0};
            assertThatThrownBy(() -> {
                        for (; accepted[0] < DISK_BYTES; accepted[0]++) {
                            store.publish(List.of(event()), NOW);
                        }
                    })
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the disk is full, nothing was written; free some space");
            Files.delete(reserve);
            store.publish(List.of(event()), NOW);
            assertThat(store.stats(NOW.plusSeconds(1)).ready()).isEqualTo(accepted[0] + 1L);
        }
    }

    @Test
    void a_store_on_a_read_only_disk_says_so_and_has_everything_once_it_is_writable() throws Exception {
        Path file = disk.resolve("events.db");
        try (SqliteStore store = SqliteStore.open(file)) {
            store.publish(List.of(event()), NOW);
        }
        assumeTrue(run("mount", "-o", "remount,ro", disk.toString()));
        assertThatThrownBy(() -> publishTo(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("check that its folder exists and may be written");
        assumeTrue(run("mount", "-o", "remount,rw", disk.toString()));
        publishTo(file);
        try (SqliteStore store = SqliteStore.open(file)) {
            assertThat(store.stats(NOW.plusSeconds(1)).ready()).isEqualTo(2);
        }
    }

    private static void publishTo(Path file) {
        try (SqliteStore store = SqliteStore.open(file)) {
            store.publish(List.of(event()), NOW);
        }
    }

    private static Event event() {
        return Event.named("disk.full")
                .source("test")
                .created(NOW)
                .payload(new byte[10_000], "application/octet-stream")
                .build();
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }
}
