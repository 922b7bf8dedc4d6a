package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Fingerprint;
import io.redrive.operations.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command says the same for a store and for a server on this store, byte for byte. Commands that only look read the very file
 * of the server; commands that change work on a copy of it, in the same order.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RemoteCommandsIT {

    private static final String CAUSE = Fingerprint.of("IOException", "refused");
    private static final String OTHER = Fingerprint.of("Timeout", "no answer\nwithin 3 s \u001b[2J");

    @TempDir
    static Path folder;

    private static Instant now;
    private static Path file;
    private static Path copy;
    private static CliServer server;

    @BeforeAll
    static void start() throws IOException {
        now = Instant.now();
        file = folder.resolve("events.db");
        copy = folder.resolve("copy.db");
        PreparedStore.write(file, now);
        Files.copy(file, copy);
        server = CliServer.start(folder, file);
        server.token(Role.ADMIN);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Ran onStore(Path store, String input, String... args) {
        return CliServer.run(Map.of("REDRIVE_STORE", store.toString()), now, input, args);
    }

    private static Ran onServer(String input, String... args) {
        return server.run(Role.ADMIN, now, input, args);
    }

    /** Hides what cannot be the same: random ids, the clock of the server, and the way to the store. */
    private static String told(Ran ran) {
        return (ran.code() + "\n" + ran.out() + "\n" + ran.err())
                .replaceAll("r-[0-9a-f]{10}", "r-0")
                .replaceAll("rdt_[0-9a-f]{8}_[0-9a-f]{64}", "rdt_0")
                .replaceAll(
                        "\"(seen|at|updated|created|started|ended|last_used|since|decided_at)\":\"[^\"]*\"", "\"$1\":0")
                .replaceAll("token revoke [0-9a-f]{8}", "token revoke 0")
                .replaceAll("\"(operator|decided_by)\":\"" + System.getProperty("user.name") + "\"", "\"$1\":\"ann\"")
                .replaceAll("by '[^']*' at \\S+:", "by 'ann' at 0:")
                .replaceAll("\"(origin|node)\":\"[^\"]*\"", "\"$1\":0")
                .replaceAll("(?m)^no node works on this store.*\\R", "")
                .replaceAll("-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "-0");
    }

    static Stream<String> looks() {
        String event = "done-1";
        return Stream.of(
                "stats",
                "stats --json",
                "activity",
                "activity --json",
                "activity --since 7d --name order.*",
                "kafka status --partitions",
                "kafka status --json",
                "scheduled list",
                "scheduled list --json",
                "scheduled list --name mail.* --within 80h",
                "pauses",
                "pauses --json",
                "dlq list",
                "dlq list --json",
                "dlq list --limit 3 --name order.*",
                "dlq list --after 2 --limit 2",
                "dlq list --before 5 --text XBT",
                "dlq list --payload /currency=XBT",
                "dlq list --payload currency=XBT",
                "dlq list --id 3,4,99 --since 1d --reason max_attempts_exceeded --error-type IOException",
                "dlq groups",
                "dlq groups --json",
                "dlq show 1",
                "dlq show 3",
                "dlq show text-1",
                "dlq show 13 --json",
                "dlq show 999",
                "dlq diff 1 2",
                "dlq diff 3",
                "dlq diff 3 --version 1 --json",
                "dlq diff 1 --handled",
                "dlq diff 1 --handled --json",
                "dlq actions",
                "dlq actions --json --operator ann --action edit",
                "dlq export --out -",
                "dlq redrive --fingerprint " + CAUSE + " --dry-run",
                "dlq redrive --all --dry-run --redacted --include-overtaken",
                "dlq redrive 1 99 --dry-run",
                "dlq purge --name order.* --limit 4 --dry-run",
                "dlq purge --payload /currency=XBT --dry-run",
                "dlq repair --fingerprint " + CAUSE + " --expression $~>|$|{\"currency\":\"BTC\"}| --samples 2",
                "dlq repair --fingerprint " + CAUSE + " --expression $~>|$|{\"currency\":\"BTC\"}| --json",
                "dlq repair --fingerprint " + CAUSE + " --expression total/0",
                "dlq repair 3 --revert",
                "causes list",
                "causes list --json",
                "causes list --status resolved --owner bob",
                "causes show " + OTHER,
                "causes show " + OTHER + " --json",
                "causes show nothing",
                "causes differs " + CAUSE,
                "causes differs " + CAUSE + " --json",
                "events find order-17 --by correlation",
                "events find order-17 --json",
                "events find nothing",
                "events show " + event,
                "events show l-1",
                "events show later-2 --json",
                "events show nothing",
                "events waiting",
                "events waiting --json",
                "events tail",
                "events tail --json --name order.placed",
                "operations list",
                "operations list --json",
                "operations show nothing",
                "proposals list",
                "proposals list --json --all",
                "proposals show 1",
                "proposals show 2",
                "proposals show 3 --json",
                "proposals show 99",
                "token list",
                "token list --json",
                "runs list",
                "runs list --json --pipeline articles",
                "runs show articles",
                "runs show articles --json",
                "runs show articles #1",
                "runs show articles s-3two --json",
                "runs show articles nothing",
                "runs dead articles",
                "runs dead articles --json --limit 1",
                "runs dead articles --after 1 --stage summarize",
                "runs dead articles --stage nothing",
                "runs report articles",
                "runs report articles --json",
                "runs show nothing");
    }

    @Test
    @Order(1)
    void a_look_at_a_server_shows_what_a_look_at_its_store_shows() {
        List<String> wrong = new ArrayList<>();
        looks().forEach(command -> {
            String[] args = command.split(" ");
            String local = told(onStore(file, "", args));
            String remote = told(onServer("", args));
            if (!local.equals(remote)) {
                wrong.add(command + "\n--- store\n" + local + "\n--- server\n" + remote);
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(onServer("", "dlq", "list", "--json").out().lines()).hasSize(13);
        assertThat(onServer("", "activity").out()).contains("order.paid", "p95");
        assertThat(onServer("", "runs", "report", "articles").out()).contains("summarize");
    }

    static Stream<List<String>> changes() {
        return Stream.of(
                List.of("pause", "order.*", "--reason", "deploy", "--for", "2h"),
                List.of("pause", "order.*", "--reason", " "),
                List.of("resume", "order.*", "--json"),
                List.of("resume", "order.*"),
                List.of("scheduled", "cancel", "later-1"),
                List.of("scheduled", "cancel", "later-1"),
                List.of(
                        "publish",
                        "--name",
                        "a.b",
                        "--source",
                        "s",
                        "--id",
                        "p-1",
                        "--text",
                        "{\"a\":1}",
                        "--delay",
                        "9d"),
                List.of("publish", "--name", "a.b", "--source", "s", "--id", "p-1", "--json"),
                List.of(
                        "publish",
                        "--name",
                        "order.paid",
                        "--source",
                        "s",
                        "--id",
                        "l-1",
                        "--correlation-id",
                        "order-17"),
                List.of("publish", "--name", "a b", "--source", "s"),
                List.of("causes", "assign", CAUSE, "bob"),
                List.of("causes", "note", CAUSE, "look", "--ticket", "https://example.org/1", "--json"),
                List.of("causes", "resolve", CAUSE, "--fixed-in", "2.5"),
                List.of("causes", "resolve", CAUSE, "--fixed-in", "soon"),
                List.of("causes", "reopen", CAUSE, "--json"),
                List.of("causes", "ignore", CAUSE, "--letters", "5"),
                List.of("causes", "ignore", "nothing"),
                List.of("dlq", "edit", "1", "--payload", "-"),
                List.of("dlq", "edit", "1", "--payload", "-", "--force"),
                List.of("dlq", "edit", "99", "--payload", "-"),
                List.of("dlq", "repair", "2", "--expression", "$~>|$|{\"currency\":\"BTC\"}|", "--apply", "--json"),
                List.of("dlq", "repair", "2", "--revert", "--apply"),
                List.of("dlq", "redrive", "4", "5", "--json", "--rate", "20/s"),
                List.of("dlq", "redrive", "4"),
                List.of("dlq", "purge", "6", "7", "--yes"),
                List.of("dlq", "purge", "6", "--yes"),
                List.of("causes", "merge", OTHER, CAUSE),
                List.of("causes", "merge", OTHER, "nothing"),
                List.of("proposals", "approve", "2"),
                List.of("proposals", "approve", "3", "--json"),
                List.of("proposals", "reject", "1", "--reason", "not now"),
                List.of("proposals", "reject", "1", "--reason", "not now"),
                List.of("proposals", "approve", "99"),
                List.of("proposals", "list", "--all"),
                List.of("operations", "cancel", "nothing"),
                List.of("operations", "pause", "nothing"),
                List.of("token", "create", "--name", "x", "--role", "viewer", "--names", "a.*"),
                List.of("token", "create", "--name", "x", "--role", "viewer", "--lifetime", "9d"),
                List.of("token", "revoke", "00000000"),
                List.of("dlq", "list"),
                List.of("causes", "list", "--json"),
                List.of("pauses"),
                List.of("runs", "cancel", "nothing"),
                List.of("runs", "reprocess", "articles", "--error", "IllegalStateException"),
                List.of("runs", "reprocess", "--pipeline", "articles"),
                List.of("runs", "delete", "articles", "--yes"),
                List.of("runs", "list"));
    }

    @Test
    @Order(3)
    void a_viewer_is_refused_with_the_words_of_the_facade() {
        Ran refused = server.run(Role.VIEWER, now, "", "dlq", "purge", "8", "--yes");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("redrive dlq purge: purge needs the role admin; 'ann' has the role viewer");
        assertThat(server.run(Role.VIEWER, now, "", "pause", "a.b", "--reason", "x")
                        .err())
                .contains("pause needs the role operator; 'ann' has the role viewer");
        assertThat(server.run(Role.VIEWER, now, "", "token", "list").err()).contains("needs the role admin");
        assertThat(server.run(Role.VIEWER, now, "", "dlq", "list").code()).isZero();
    }

    @Test
    @Order(4)
    void credentials_are_asked_for_and_refused_with_a_remedy() {
        Map<String, String> none = Map.of("REDRIVE_SERVER", server.url());
        Map<String, String> wrong = Map.of("REDRIVE_SERVER", server.url(), "REDRIVE_TOKEN", "rdt_wrong");

        Ran asked = CliServer.run(none, now, "", "stats");
        assertThat(asked.code()).isEqualTo(1);
        assertThat(asked.err()).contains("needs credentials: set REDRIVE_TOKEN");
        assertThat(CliServer.run(wrong, now, "", "stats").err())
                .contains("refused a token")
                .doesNotContain("rdt_wrong");
    }

    @Test
    @Order(5)
    void a_token_may_lie_in_a_file() throws IOException {
        Path secret = Files.writeString(folder.resolve("token"), server.token(Role.ADMIN) + "\n");
        Ran ran = CliServer.run(
                Map.of(), now, "", "causes", "list", "--server", server.url() + "/", "--token-file", secret.toString());
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
    }

    @Test
    @Order(6)
    void status_tells_the_version_and_what_needs_the_operator() {
        Ran ran = server.run(Role.VIEWER, now, "", "status");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("server     version", "dead", "nodes");
        assertThat(ran.code()).isIn(0, 3);
        assertThat(server.run(Role.VIEWER, now, "", "status", "--json").out()).contains("\"well\":", "\"version\":");
        assertThat(onStore(copy, "", "status").out()).contains("events").doesNotContain("server");
    }

    @Test
    @Order(7)
    void routes_are_those_of_the_server() {
        assertThat(onServer("", "routes", "list").out())
                .contains("no routes; the configuration of the server names them");
        Ran unknown = onServer("", "routes", "disable", "billing", "--reason", "x");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no route 'billing' (known: )");
        assertThat(onStore(copy, "", "routes", "list").err()).contains("routes must be given --server URL");
    }

    @Test
    @Order(2)
    void a_change_through_a_server_says_and_does_what_a_change_of_the_store_does() {
        List<String> wrong = new ArrayList<>();
        changes().forEach(command -> {
            String[] args = command.toArray(String[]::new);
            String input = command.contains("--force") ? "no JSON" : "{\"currency\":\"EUR\"";
            String local = told(onStore(copy, input, args));
            String remote = told(onServer(input, args));
            if (!local.equals(remote)) {
                wrong.add(command + "\n--- store\n" + local + "\n--- server\n" + remote);
            }
        });
        assertThat(wrong).isEmpty();
    }
}
