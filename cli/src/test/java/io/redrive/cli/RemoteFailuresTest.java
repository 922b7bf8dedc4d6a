package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands say when {@code --server} is wrong, or the server is. */
final class RemoteFailuresTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private HttpServer stub;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private int status = 200;
    private String type = "application/json";
    private String body = "{}";

    @BeforeEach
    void start() throws IOException {
        stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stub.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Retry-After", "7");
            exchange.getResponseHeaders().set("Location", "http://example.org/elsewhere");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        stub.start();
    }

    @AfterEach
    void stop() {
        stub.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + stub.getAddress().getPort();
    }

    private static Ran run(Map<String, String> environment, String... args) {
        return CliServer.run(environment, NOW, "", args);
    }

    private Ran asking(String... args) {
        return run(Map.of("REDRIVE_SERVER", url(), "REDRIVE_TOKEN", "rdt_x"), args);
    }

    private static void refused(Ran ran, String... words) {
        assertThat(ran.code()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains(words);
        assertThat(ran.out()).isEmpty();
    }

    private static void failed(Ran ran, String... words) {
        assertThat(ran.code()).as(ran.err()).isEqualTo(1);
        assertThat(ran.err()).contains(words).doesNotContain("rdt_x", "Exception");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void one_of_store_and_server_must_be_named() {
        refused(run(Map.of(), "stats"), "Give --store FILE, --store JDBC-URL or --server URL");
        refused(
                run(Map.of(), "stats", "--store", "a.db", "--server", url()),
                "--server and --store contradict each other");
        refused(
                run(Map.of("REDRIVE_STORE", "a.db", "REDRIVE_SERVER", url()), "stats"),
                "REDRIVE_SERVER and REDRIVE_STORE are both set");
        refused(run(Map.of(), "runs", "list", "--store", "a.db", "--server", url()), "contradict each other");
        refused(run(Map.of(), "stats", "--store", "a.db", "--token-file", "t"), "--token-file must come with --server");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, must be the URL of a server",
        "ftp://localhost, must be the URL of a server",
        "http://, must be the URL of a server",
        "http://a b, must be the URL of a server",
        "http://localhost/?x=1, must be the URL of a server",
        "http://ann:secret@localhost, must have no password",
    })
    void a_wrong_url_is_refused(String url, String words) {
        Ran ran = run(Map.of(), "stats", "--server", url);
        refused(ran, words);
        assertThat(ran.err()).doesNotContain("secret");
    }

    @Test
    void credentials_never_cross_a_network_in_the_clear_unless_told() {
        Map<String, String> token = Map.of("REDRIVE_TOKEN", "rdt_x");
        refused(run(token, "stats", "--server", "http://192.0.2.1:9"), "must be an https:// URL", "--allow-plain-http");
        refused(
                run(Map.of("REDRIVE_USER", "ann", "REDRIVE_PASSWORD", "p"), "stats", "--server", "http://192.0.2.1:9"),
                "could read the password of ann");
        refused(run(Map.of("REDRIVE_USER", "ann"), "stats", "--server", url()), "must come with REDRIVE_PASSWORD");
        refused(
                run(Map.of("REDRIVE_USER", "a", "REDRIVE_TOKEN", "t"), "stats", "--server", url()),
                "contradict each other");
        refused(run(Map.of("REDRIVE_TOKEN", "two words"), "stats", "--server", url()), "a token must be one word");
        refused(
                run(
                        Map.of(),
                        "stats",
                        "--server",
                        url(),
                        "--token-file",
                        folder.resolve("none").toString()),
                "--token-file");
        assertThat(asked).isEmpty();
    }

    @Test
    void a_server_that_is_not_there_is_told_with_a_remedy() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        failed(
                run(Map.of(), "stats", "--server", "http://127.0.0.1:" + free),
                "no server answers there",
                "redrive serve");
    }

    @ParameterizedTest
    @CsvSource({
        "301, redirects to http://example.org/elsewhere; redirects are not followed",
        "404, is it a Redrive server",
        "418, is it a Redrive server",
        "500, failed with status 500",
        "503, failed with status 503",
        "429, asks for a pause of 7 s",
        "401, refused a token",
    })
    void an_unexpected_status_is_told_with_a_remedy(int code, String words) {
        status = code;
        type = "text/html";
        body = "<html>";
        failed(asking("stats"), words);
        assertThat(asked).hasSize(1);
    }

    @Test
    void a_problem_is_told_in_the_words_of_the_server() {
        status = 403;
        type = "application/problem+json";
        body = "{\"type\":\"urn:x\",\"title\":\"Forbidden\",\"status\":403,\"detail\":\"no, ann\"}";
        failed(asking("stats"), "redrive stats: no, ann");
        status = 400;
        refused(asking("stats"), "redrive stats: no, ann");
        status = 503;
        failed(asking("stats"), "failed with status 503: no, ann");
    }

    @Test
    void an_answer_of_another_form_is_no_answer_of_redrive() {
        failed(asking("stats"), "it has no field ready", "is it a Redrive server");
        body = "[]";
        failed(asking("stats"), "where an object is expected");
        body = "{";
        failed(asking("stats"), "it is no JSON object");
        body = "{\"ready\":\"many\"}";
        failed(asking("stats"), "its field ready cannot be read");
        type = "text/html";
        failed(asking("stats"), "answered with text/html instead of JSON");
    }

    @Test
    void options_without_a_meaning_for_a_server_are_refused() throws IOException {
        refused(
                asking("dlq", "purge", "1", "--yes", "--operator", "bob"),
                "--operator must not be given with a server");
        refused(asking("stats", "--redaction", "rules"), "the rules of its configuration hold");
        refused(asking("publish", "--name", "a.b", "--source", "s", "--create"), "--create must come with --store");
        refused(asking("runs", "resume", "r"), "runs resume must be given --store");
        refused(asking("runs", "reprocess", "r", "--resume"), "--resume must come with --store");
        Path yaml = Files.writeString(folder.resolve("p.yml"), "");
        refused(run(Map.of(), "run", yaml.toString(), "--server", url()), "it takes no server");
        assertThat(asked).isEmpty();
    }

    @Test
    void texts_in_paths_and_parameters_are_encoded() {
        status = 404;
        type = "application/problem+json";
        body = "{\"type\":\"urn:x\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"none\",\"field\":\"cause\"}";
        failed(asking("causes", "show", "a/../b?c#d%2e"), "no cause has the fingerprint");
        assertThat(asked).containsExactly("GET /api/v1/causes/a%2F..%2Fb%3Fc%23d%252e");
    }

    @Test
    void a_change_is_not_repeated_when_its_connection_breaks() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> hangUpAfterTheRequest(socket, connections));
            server.start();
            failed(
                    run(
                            Map.of(),
                            "pause",
                            "a.*",
                            "--reason",
                            "r",
                            "--server",
                            "http://127.0.0.1:" + socket.getLocalPort()),
                    "the connection broke");
            socket.close();
            server.join();
        }
        assertThat(connections).hasValue(1);
    }

    /** Reads the head and the body of each request, which ends with a brace, and closes the connection. */
    private static void hangUpAfterTheRequest(ServerSocket socket, AtomicInteger connections) {
        try {
            while (true) {
                try (Socket connection = socket.accept()) {
                    connections.incrementAndGet();
                    int next;
                    do {
                        next = connection.getInputStream().read();
                    } while (next >= 0 && next != '}');
                }
            }
        } catch (IOException e) {
            assertThat(socket.isClosed()).isTrue();
        }
    }

    @Test
    void a_change_with_refused_credentials_is_told_with_a_remedy() {
        status = 401;
        failed(asking("pause", "a.*", "--reason", "r"), "refused a token");
        failed(run(Map.of("REDRIVE_SERVER", url()), "pause", "a.*", "--reason", "r"), "needs credentials");
    }
}
