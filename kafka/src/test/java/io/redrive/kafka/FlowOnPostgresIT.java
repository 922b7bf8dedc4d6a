package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.StoreStats;
import java.io.IOException;
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

/** Flows above a real broker and a real PostgreSQL server, which several members of a group share. */
final class FlowOnPostgresIT extends FlowContract {

    private static final int PARTITIONS = 4;
    private static final int RECORDS = 2_000;
    private static final int KEYS = 40;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @Override
    FlowRig rig(int partitions) {
        return new FlowRig(partitions, TestDatabase.open(TestDatabase.newSchema()));
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_killed_member_of_two_loses_no_record_keeps_each_key_in_order_and_leaves_each_letter_once() throws Exception {
        TestDatabase.sql("CREATE TABLE bills (text text)");
        String schema = TestDatabase.newSchema();
        try (FlowRig rig = new FlowRig(PARTITIONS, TestDatabase.open(schema))) {
            Set<String> sent = new HashSet<>();
            Set<String> bad = new HashSet<>();
            for (int i = 0; i < RECORDS; i++) {
                // Records of one key are in one partition.
                String text = kind(i) + "/key" + i % KEYS + "/" + i;
                sent.add(text);
                if (text.startsWith("bad")) {
                    bad.add(text);
                }
                rig.send(i % KEYS % PARTITIONS, "key" + i % KEYS, text);
            }
            rig.broker.flush();
            rig.broker.requireComplete(rig.topic, rig.topicPartitions());
            Process killed = start(rig, schema);
            start(rig, schema);
            FlowRig.until(() -> handled().size() > RECORDS / 10 && rig.broker.members(rig.group) == 2);
            killed.destroyForcibly().waitFor();
            start(rig, schema);
            rig.awaitNoLag();
            FlowRig.until(() -> isEmpty(rig.store.stats(Instant.now())));
            assertThat(new HashSet<>(handled())).isEqualTo(sent);
            assertThat(rig.letters())
                    .extracting(letter -> letter.event().text())
                    .containsExactlyInAnyOrderElementsOf(bad);
            // The handlers settle their records in their own transactions: each record has one row, also after the
            // kill.
            sent.removeAll(bad);
            assertThat(TestDatabase.sql("SELECT text FROM bills")).containsExactlyInAnyOrderElementsOf(sent);
            firstsByKey().forEach((key, numbers) -> assertThat(numbers).as(key).isSorted());
        }
    }

    private static String kind(int number) {
        return number % 100 == 17 ? "later" : number % 50 == 3 ? "bad" : "good";
    }

    /** The records of each key in the order of their first handling: a kill repeats records, and changes no order. */
    private Map<String, List<Integer>> firstsByKey() {
        Map<String, List<Integer>> firsts = new HashMap<>();
        for (String text : new java.util.LinkedHashSet<>(handled())) {
            String[] parts = text.split("/");
            firsts.computeIfAbsent(parts[1], unused -> new ArrayList<>()).add(Integer.parseInt(parts[2]));
        }
        return firsts;
    }

    private Process start(FlowRig rig, String schema) throws IOException {
        Process process =
                FlowProcess.builder(rig, folder, TestDatabase.url(), schema).start();
        started.add(process);
        return process;
    }

    private List<String> handled() {
        return new HandledLedger(folder.resolve("handled.txt")).entries();
    }

    private static boolean isEmpty(StoreStats stats) {
        return stats.ready() + stats.delayed() + stats.claimed() == 0;
    }
}
