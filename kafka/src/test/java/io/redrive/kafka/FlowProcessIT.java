package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.StoreStats;
import io.redrive.events.journal.EventQuery;
import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that die at any moment, above a real broker and a real file. */
final class FlowProcessIT {

    private static final int RECORDS = 4_000;
    private static final int MAX_PROCESSES = 12;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_killed_process_loses_no_record_and_no_letter_and_leaves_no_letter_twice() throws Exception {
        try (FlowRig rig = new FlowRig(2)) {
            Map<String, String> ids = new HashMap<>();
            for (int i = 0; i < RECORDS; i++) {
                String text = (i % 40 == 0 ? "bad-" : "good-") + i;
                ids.put(text, rig.topic + "-" + i % 2 + "-" + i / 2);
                rig.send(i % 2, null, text);
            }
            rig.broker.flush();
            rig.broker.requireComplete(rig.topic, rig.topicPartitions());
            Process first = start(rig);
            FlowRig.until(() -> handled().size() > RECORDS / 10);
            first.destroyForcibly().waitFor();
            Process second = start(rig);
            FlowRig.until(() -> handled().size() > RECORDS / 2);
            second.destroyForcibly().waitFor();
            start(rig);
            rig.awaitNoLag();
            // A row that waits for its next attempt has no lag: its offset is finished, the event is not.
            Set<String> unaccounted = new HashSet<>(ids.keySet());
            unaccounted.removeAll(handled());
            unaccounted.removeIf(text -> isUnfinishedRow(ids.get(text)));
            // A row may have been handled since the first look.
            unaccounted.removeAll(handled());
            assertThat(unaccounted).as("neither handled nor in the store").isEmpty();
            FlowRig.until(() -> isEmpty(stats()));
            assertThat(new HashSet<>(handled())).isEqualTo(ids.keySet());
            assertThat(letters()).hasSize(RECORDS / 40);
            assertThat(letters()).extracting(letter -> letter.event().text()).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_record_that_ends_its_process_becomes_the_only_letter() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            Set<String> innocent = new HashSet<>();
            for (int i = 0; i < 30; i++) {
                rig.send(0, null, i == 12 ? "poison" : "good-" + i);
                if (i != 12) {
                    innocent.add("good-" + i);
                }
            }
            rig.broker.flush();
            Process process = start(rig);
            FlowRig.until(() -> {
                if (!process().isAlive() && letters().isEmpty()) {
                    assertThat(started).as("processes that the record ended").hasSizeLessThan(MAX_PROCESSES);
                    start(rig);
                }
                return !letters().isEmpty();
            });
            rig.awaitNoLag();
            FlowRig.until(() -> new HashSet<>(handled()).equals(innocent));
            assertThat(process.exitValue()).isEqualTo(9);
            assertThat(letters()).extracting(letter -> letter.event().text()).containsExactly("poison");
            assertThat(letters().get(0).reason()).isEqualTo(Reason.POISON);
        }
    }

    private Process process() {
        return started.get(started.size() - 1);
    }

    private Process start(FlowRig rig) throws IOException {
        Process process = FlowProcess.builder(rig, folder).start();
        started.add(process);
        return process;
    }

    private List<String> handled() {
        return new HandledLedger(folder.resolve("handled.txt")).entries();
    }

    private boolean isUnfinishedRow(String id) {
        try (SqliteStore store = SqliteStore.open(folder.resolve("store.db"))) {
            return !store.unfinished().find(EventQuery.id(id), 1, Instant.now()).isEmpty();
        }
    }

    private StoreStats stats() {
        try (SqliteStore store = SqliteStore.open(folder.resolve("store.db"))) {
            return store.stats(Instant.now());
        }
    }

    private static boolean isEmpty(StoreStats stats) {
        return stats.ready() + stats.delayed() + stats.claimed() == 0;
    }

    private List<DeadLetter> letters() {
        if (!Files.exists(folder.resolve("store.db"))) {
            return List.of();
        }
        try (SqliteStore store = SqliteStore.open(folder.resolve("store.db"))) {
            return store.deadLetters().list(LetterFilter.ALL, 0, DeadLetters.MAX_PAGE);
        }
    }
}
