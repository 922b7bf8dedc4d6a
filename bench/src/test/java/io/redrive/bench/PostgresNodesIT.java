package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.EventStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several nodes in several processes on the same database: a node is killed, a node stalls longer than its lease and comes
 * back.
 */
class PostgresNodesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Lines in the ledger by which a node is known to work. */
    private static final int WORKING_BYTES = 500;
    /** Longer than a worker's lease of a second. */
    private static final long STALL_MILLIS = 3_000;

    private final List<Node> nodes = new ArrayList<>();

    @TempDir
    private Path folder;

    private final class Node {
        private final Path ledger = folder.resolve("ledger-" + nodes.size());
        private final Process process;

        Node(String url, String task) throws IOException {
            process = CrashWorker.process(url, ledger, nodes.size() + 1, task).start();
            nodes.add(this);
        }

        void awaitMoreWork() {
            long before = ledgerSize();
            await().atMost(PATIENCE).until(() -> ledgerSize() > before + WORKING_BYTES);
        }

        private long ledgerSize() {
            try {
                return Files.exists(ledger) ? Files.size(ledger) : 0;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        void signal(String name) throws Exception {
            assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    @AfterEach
    void endAll() {
        nodes.forEach(node -> node.process.destroyForcibly());
    }

    @Test
    void when_one_node_is_killed_and_one_stalls_everything_is_settled_once() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start()) {
            String url = server.getJdbcUrl("postgres", "postgres");
            Node steady = new Node(url, "work");
            Node killed = new Node(url, "work");
            Node stalled = new Node(url, "work");
            for (Node node : List.of(steady, killed, stalled)) {
                node.awaitMoreWork();
            }
            killed.process.destroyForcibly().waitFor();
            stalled.signal("STOP");
            // The leases of the stalled node expire, and the steady node takes over.
            assertThat(steady.process.waitFor(STALL_MILLIS, TimeUnit.MILLISECONDS))
                    .isFalse();
            steady.awaitMoreWork();
            stalled.signal("CONT");
            stalled.awaitMoreWork();
            for (Node node : List.of(steady, stalled)) {
                node.process.destroyForcibly().waitFor();
            }
            Node last = new Node(url, "drain");
            assertThat(last.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            judge(url);
        }
    }

    private void judge(String url) throws IOException {
        CrashTally tally = new CrashTally();
        for (Node node : nodes) {
            CrashLedger.read(node.ledger).forEach(tally::add);
        }
        try (EventStore store = CrashWorker.open(url)) {
            CrashTally.Verdict verdict = tally.verdict(store);
            assertThat(verdict.published()).isPositive();
            assertThat(verdict.lost()).as("lost").isZero();
            assertThat(verdict.falseDead()).as("false dead letters").isEmpty();
            assertThat(verdict.doubleTerminal()).as("ended twice").isZero();
        }
    }
}
