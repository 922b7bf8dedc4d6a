package io.redrive.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.core.ManualTime;
import io.redrive.events.ActionFilter;
import io.redrive.events.NamePattern;
import io.redrive.operations.NewToken;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Attacks on a server with auth. Each of them fails. */
@ExtendWith(OutputCaptureExtension.class)
final class SecurityIT {

    private static final String PASSWORD = AttackedServer.PASSWORD;
    private static final String EVENT = "{\"name\":\"order.paid\",\"source\":\"shop\"}";

    private static TestServer server;
    private static String viewer;
    private static String operator;
    private static String admin;
    private static String publisher;

    @BeforeAll
    static void start() {
        server = AttackedServer.server();
        viewer = token(Role.VIEWER).text();
        operator = token(Role.OPERATOR).text();
        admin = token(Role.ADMIN).text();
        publisher = token(Role.PUBLISHER).text();
    }

    private static Operations admin() {
        return Operations.of(server.store(), Operator.named("test", Role.ADMIN));
    }

    private static NewToken token(Role role) {
        return admin().tokens().create("a " + role.code(), role, List.of(), Optional.empty());
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private static String[] basic(String name, String password) {
        String both = name + ":" + password;
        return new String[] {
            "Authorization", "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8))
        };
    }

    @Test
    void nothing_is_told_without_credentials() {
        for (String path : List.of("/api/v1/letters", "/api/v1/me", "/metrics", "/api/v1/nothing", "/", "/console")) {
            Reply reply = server.get(path);
            assertThat(reply.status()).as(path).isEqualTo(401);
            assertThat(reply.response().headers().allValues("WWW-Authenticate")).hasSize(2);
        }
        assertThat(server.get("/health/live").status()).isEqualTo(200);
        assertThat(server.get("/health/live/../../metrics").status()).isIn(400, 401);
        assertThat(server.get("/health/live;/../../metrics").status()).isIn(400, 401);
        assertThat(server.get("//health/live").status()).isIn(400, 401);
        assertThat(server.get("/in/..%2fapi/v1/me").status()).isIn(400, 401);
    }

    @Test
    void tokens_and_passwords_open_the_door() {
        assertThat(server.get("/api/v1/me", bearer(viewer)).field("role")).isEqualTo("viewer");
        assertThat(server.get("/api/v1/me", basic("ann", PASSWORD)).field("name"))
                .isEqualTo("ann");
        assertThat(server.get("/api/v1/me", basic("ann", PASSWORD)).field("role"))
                .isEqualTo("admin");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/letters, viewer",
        "GET, /api/v1/letters/count, viewer",
        "GET, /api/v1/letters/export, viewer",
        "GET, /api/v1/causes, viewer",
        "GET, /api/v1/redrives, viewer",
        "GET, /api/v1/pauses, viewer",
        "GET, /api/v1/activity, viewer",
        "GET, /api/v1/actions, viewer",
        "GET, /api/v1/policies, viewer",
        "GET, /api/v1/runs, viewer",
        "GET, /api/v1/status, viewer",
        "GET, /api/v1/stream, viewer",
        "DELETE, /api/v1/events/x, operator",
        "PUT, /api/v1/letters/1/payload, operator",
        "POST, /api/v1/redrives, operator",
        "POST, /api/v1/redrives/x/start, operator",
        "POST, /api/v1/redrives/x/pause, operator",
        "POST, /api/v1/redrives/x/resume, operator",
        "POST, /api/v1/redrives/x/cancel, operator",
        "DELETE, /api/v1/redrives/x, operator",
        "POST, /api/v1/repairs, operator",
        "POST, /api/v1/repairs/revert, operator",
        "POST, /api/v1/proposals/1/approve, operator",
        "POST, /api/v1/causes/x/reopen, operator",
        "PUT, /api/v1/pauses/x.*, operator",
        "DELETE, /api/v1/pauses/x.*, operator",
        "PUT, /api/v1/policies/x.*, operator",
        "POST, /api/v1/runs/x/cancel, operator",
        "DELETE, /api/v1/runs/x, admin",
        "POST, /api/v1/letters/purge, admin",
        "GET, /api/v1/tokens, admin",
        "POST, /api/v1/tokens, admin",
        "DELETE, /api/v1/tokens/x, admin"
    })
    void no_role_does_what_a_higher_role_may_do(String method, String path, String least) {
        String body = path.endsWith("tokens")
                ? "{\"name\":\"mine\",\"role\":\"admin\"}"
                : path.contains("pauses")
                        ? "{\"reason\":\"x\"}"
                        : path.contains("policies")
                                ? "{\"settings\":{\"max-attempts\":2}}"
                                : path.endsWith("repairs") ? "{\"all\":true,\"expression\":\"$\"}" : "{\"all\":true}";
        byte[] bytes = method.equals("GET") || method.equals("DELETE") || path.matches(".*/[x1]/\\w+")
                ? new byte[0]
                : body.getBytes(StandardCharsets.UTF_8);
        long actions = actions();
        for (String weak : List.of(publisher, viewer, operator)) {
            Role role = weak.equals(publisher) ? Role.PUBLISHER : weak.equals(viewer) ? Role.VIEWER : Role.OPERATOR;
            if (role.compareTo(Role.of(least)) < 0) {
                Reply reply = server.send(method, path, bytes, bearer(weak));
                assertThat(reply.status())
                        .as(role + " " + method + " " + path + reply.body())
                        .isEqualTo(403);
                assertThat(reply.field("type")).isEqualTo("urn:redrive:problem:not-permitted");
            }
        }
        assertThat(actions()).isEqualTo(actions);
    }

    private static long actions() {
        return admin().actions(ActionFilter.ALL, 1000).size();
    }

    @Test
    void a_publisher_publishes_its_names_and_nothing_else() {
        String limited = admin().tokens()
                .create("shop", Role.PUBLISHER, List.of(new NamePattern("order.*")), Optional.empty())
                .text();

        assertThat(server.post("/api/v1/events", EVENT, bearer(limited)).status())
                .isEqualTo(202);
        assertThat(server.post("/api/v1/events", EVENT.replace("order.paid", "bank.paid"), bearer(limited))
                        .status())
                .isEqualTo(403);
        assertThat(server.post("/api/v1/events", EVENT, bearer(viewer)).status())
                .isEqualTo(403);
        assertThat(server.get("/api/v1/events/stats", bearer(limited)).status()).isEqualTo(403);
    }

    @Test
    void a_revoked_or_expired_token_is_refused_and_so_is_every_changed_letter_of_one() {
        NewToken token = token(Role.VIEWER);
        assertThat(server.get("/api/v1/me", bearer(token.text())).status()).isEqualTo(200);
        String text = token.text();
        for (int i = 0; i < text.length(); i += 7) {
            char other = text.charAt(i) == '0' ? '1' : '0';
            String forged = text.substring(0, i) + other + text.substring(i + 1);
            assertThat(server.get("/api/v1/me", bearer(forged)).status())
                    .as("letter " + i)
                    .isEqualTo(401);
        }
        assertThat(server.get("/api/v1/me", bearer(text.substring(0, text.length() - 1)))
                        .status())
                .isEqualTo(401);
        NewToken brief = admin().tokens().create("brief", Role.ADMIN, List.of(), Optional.of(Duration.ofNanos(1)));
        assertThat(server.get("/api/v1/me", bearer(brief.text())).status()).isEqualTo(401);
        admin().tokens().revoke(token.token().prefix());
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () -> assertThat(server.get("/api/v1/me", bearer(text)).status())
                                .isEqualTo(401));
    }

    @ParameterizedTest
    @CsvSource({"Basic", "Bearer", "Basic !!!", "Basic YW5u", "Basic /////w==", "Digest x", "bearer", "'Basic  '"})
    void a_broken_header_is_refused(String header) {
        assertThat(server.get("/api/v1/me", "Authorization", header).status()).isEqualTo(401);
    }

    @Test
    void a_page_of_another_site_changes_nothing() {
        String[] browser = {"Authorization", basic("ann", PASSWORD)[1], "Sec-Fetch-Site", "cross-site"};
        String[] origin = {"Authorization", basic("ann", PASSWORD)[1], "Origin", "https://evil.example"};
        String[] opaque = {"Authorization", basic("ann", PASSWORD)[1], "Origin", "null"};

        assertThat(server.post("/api/v1/events", EVENT, browser).status()).isEqualTo(403);
        assertThat(server.post("/api/v1/events", EVENT, origin).status()).isEqualTo(403);
        assertThat(server.post("/api/v1/events", EVENT, opaque).status()).isEqualTo(403);
        assertThat(server.post(
                                "/api/v1/events",
                                EVENT,
                                "Authorization",
                                basic("ann", PASSWORD)[1],
                                "Sec-Fetch-Site",
                                "same-origin")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void every_answer_has_the_headers_that_protect_a_browser_and_sets_no_cookie() {
        Reply reply = server.get("/api/v1/me", bearer(viewer));

        assertThat(reply.header("Content-Security-Policy"))
                .contains("default-src 'self'")
                .doesNotContain("unsafe");
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(reply.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(reply.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(reply.header("Cache-Control")).contains("no-store");
        assertThat(reply.response().headers().map()).doesNotContainKey("set-cookie");
        assertThat(reply.response().headers().map()).doesNotContainKey("server");
    }

    @Test
    void large_deep_and_packed_bodies_are_refused() throws IOException {
        String large = "{\"name\":\"a.b\",\"source\":\"s\",\"payload\":\"" + "x".repeat(70_000) + "\"}";
        assertThat(server.post("/api/v1/events", large, bearer(admin)).status()).isEqualTo(413);
        String deep = "[".repeat(30_000) + "]".repeat(30_000);
        assertThat(server.post("/api/v1/events", deep, bearer(admin)).status()).isEqualTo(400);
        String number = "{\"name\":\"a.b\",\"source\":\"s\",\"payload\":" + "9".repeat(60_000) + "}";
        assertThat(server.post("/api/v1/events", number, bearer(admin)).status())
                .isEqualTo(400);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[10_000_000]);
        }
        assertThat(server.send(
                                "POST",
                                "/api/v1/events",
                                packed.toByteArray(),
                                "Authorization",
                                "Bearer " + admin,
                                "Content-Encoding",
                                "gzip")
                        .status())
                .isEqualTo(415);
        assertThat(server.get("/api/v1/me", "Authorization", "Bearer " + admin, "X-Large", "x".repeat(20_000))
                        .status())
                .isIn(400, 431);
    }

    @Test
    void a_body_of_two_gigabytes_is_refused_before_it_is_sent() throws IOException {
        String answer = raw("POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + admin
                + "\r\nContent-Type: application/json\r\nContent-Length: 2147483648\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 413");
    }

    @Test
    void a_caller_that_never_ends_its_request_is_hung_up_on() throws IOException {
        assertThat(raw("GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))
                .doesNotContain("HTTP/1.1 200");
        assertThat(raw("POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + admin
                        + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"))
                .doesNotContain("HTTP/1.1 202");
    }

    /** Sends bytes and returns everything until the server closes the connection, at most ten seconds. */
    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void a_request_cannot_smuggle_headers_into_the_answer() {
        Reply reply = server.get("/api/v1/letters?order=x%0d%0aSet-Cookie:%20a=b", bearer(viewer));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.response().headers().map()).doesNotContainKey("set-cookie");
    }

    @Test
    void logs_and_errors_have_no_secret_and_no_line_of_a_caller(CapturedOutput output) {
        server.get("/api/v1/me", bearer(admin));
        server.get("/api/v1/me", basic("ann", "wrong " + PASSWORD));
        Reply reply = server.get("/api/v1/letters?order=x%0a2026-01-01%20FAKE%20LINE", bearer(admin));

        assertThat(reply.body()).doesNotContain(admin);
        assertThat(output.getAll())
                .doesNotContain(admin)
                .doesNotContain(PASSWORD)
                .doesNotContain("FAKE LINE");
        assertThat(server.get("/api/v1/tokens", bearer(admin)).body())
                .doesNotContain(admin)
                .doesNotContain("hash");
        assertThat(server.store().notes().read().toString()).doesNotContain(admin.substring(13));
    }

    @Test
    void streams_are_limited() throws Exception {
        try (Socket one = stream();
                Socket two = stream()) {
            assertThat(one.getInputStream().read()).isEqualTo('H');
            assertThat(two.getInputStream().read()).isEqualTo('H');
            Reply third = server.get("/api/v1/stream", "Authorization", "Bearer " + viewer, "Accept", "*/*");
            assertThat(third.status()).isEqualTo(503);
            assertThat(third.body()).contains("limits.streams");
        }
    }

    private static Socket stream() throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write(("GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + viewer
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void guessing_ends_after_the_limit_and_even_the_right_password_waits() {
        ManualTime time = new ManualTime();
        LoginGuard guard = new LoginGuard(time);
        for (int i = 0; i < 5; i++) {
            assertThat(guard.isBlocked("192.0.2.1", "ann", 5)).isFalse();
            guard.failed("192.0.2.1", "ann", 5);
        }

        assertThat(guard.isBlocked("192.0.2.1", "bob", 5)).isTrue();
        assertThat(guard.isBlocked("192.0.2.2", "ann", 5)).isFalse();
        for (int i = 0; i < 50; i++) {
            guard.failed("192.0.2." + (10 + i), "ann", 5);
        }
        assertThat(guard.isBlocked("192.0.2.2", "ann", 5)).isTrue();
        time.advance(LoginGuard.WINDOW.plusSeconds(1));
        assertThat(guard.isBlocked("192.0.2.1", "ann", 5)).isFalse();
    }
}
