package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.standardwebhooks.Webhook;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routes and receivers of a real server: from the configuration file to a receiver on loopback. */
final class RoutesIT {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @TempDir
    static Path folder;

    private static TestReceiver receiver;
    private static TestServer server;
    private static String configuration;

    @BeforeAll
    static void start() throws Exception {
        receiver = new TestReceiver();
        Path key = Files.writeString(folder.resolve("secrets.key"), DeliveryBench.KEY);
        configuration = """
                webhooks:
                  allow: [127.0.0.1/32]
                  secrets-key-file: %s
                routes:
                  billing:
                    events: [order.*]
                    url: %s
                    plain-http: true
                    secret: %s
                receive:
                  shop:
                    event: order.received
                    secret: %s
                """.formatted(key, receiver.url("/hooks"), SECRET, SECRET);
        server = TestServer.start(folder, configuration);
    }

    @AfterAll
    static void stop() {
        server.close();
        receiver.close();
    }

    private static Reply deliverIn(String id, String body, String signature) {
        return server.post(
                "/in/shop",
                body,
                "webhook-id",
                id,
                "webhook-timestamp",
                Long.toString(Instant.now().getEpochSecond()),
                "webhook-signature",
                signature);
    }

    private static void awaitDelivery(String id) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> receiver.requests.stream()
                        .anyMatch(request -> request.header("webhook-id").equals(id)));
    }

    @Test
    void a_published_event_reaches_its_destination() {
        assertThat(server.post("/api/v1/events", "{\"id\":\"o-1\",\"name\":\"order.paid\",\"source\":\"shop\"}")
                        .status())
                .isEqualTo(202);

        awaitDelivery("o-1");
        Reply routes = server.get("/api/v1/routes");
        assertThat(routes.json().at("/items/0/name").asString()).isEqualTo("billing");
        assertThat(routes.json().at("/items/0/enabled").asBoolean()).isTrue();
        assertThat(routes.body()).doesNotContain("whsec_");
    }

    @Test
    void a_webhook_is_stored_once_and_only_with_a_fitting_signature() throws Exception {
        String body = "{\"order\": 17}";
        long now = Instant.now().getEpochSecond();
        String signature = new Webhook(SECRET).sign("msg_1", now, body);

        assertThat(server.post("/in/shop", body).status()).isEqualTo(401);
        assertThat(deliverIn("msg_1", body, "v1,AAAA").status()).isEqualTo(401);
        assertThat(server.post("/in/none", body).status()).isEqualTo(404);
        String[] signed = {
            "webhook-id", "msg_1", "webhook-timestamp", Long.toString(now), "webhook-signature", signature
        };
        assertThat(server.post("/in/shop", body, signed).status()).isEqualTo(202);
        assertThat(server.post("/in/shop", body, signed).status()).isEqualTo(200);
        assertThat(server.post("/in/shop", body + " ", signed).status()).isEqualTo(401);
        assertThat(server.send("POST", "/in/shop", new byte[2 << 20], signed).status())
                .isEqualTo(413);
    }

    @Test
    void operators_test_disable_enable_and_rotate_over_the_api() {
        assertThat(server.post("/api/v1/routes/billing/test", "")
                        .json()
                        .path("delivered")
                        .asBoolean())
                .isTrue();
        assertThat(server.post("/api/v1/routes/billing/rotate", "{\"grace\":\"1h\"}")
                        .field("secret"))
                .startsWith("whsec_")
                .isNotEqualTo(SECRET);
        assertThat(server.post("/api/v1/routes/billing/rotate", "{\"grace\":\"8d\"}")
                        .status())
                .isEqualTo(400);
        assertThat(server.post("/api/v1/routes/biling/test", "").status()).isEqualTo(404);
        assertThat(server.post("/api/v1/routes/billing/disable", "{\"reason\":\"\"}")
                        .status())
                .isEqualTo(400);

        assertThat(server.post("/api/v1/routes/billing/disable", "{\"reason\":\"moving\"}")
                        .status())
                .isEqualTo(200);
        assertThat(server.get("/api/v1/routes").json().at("/items/0/reason").asString())
                .isEqualTo("moving");
        assertThat(server.post("/api/v1/routes/billing/enable", "")
                        .json()
                        .path("was_disabled")
                        .asBoolean())
                .isTrue();
        assertThat(server.get("/api/v1/actions").body())
                .contains("test-route", "rotate-route", "disable-route", "enable-route")
                .doesNotContain("whsec_");
    }

    @Test
    void changes_of_the_configuration_under_load_lose_no_event() throws Exception {
        String path = "/hooks/changed-";
        int events = 300;
        Thread publisher = new Thread(() -> {
            for (int i = 0; i < events; i++) {
                String event = "{\"id\":\"load-" + i + "\",\"name\":\"order.paid\",\"source\":\"shop\"}";
                assertThat(server.post("/api/v1/events", event).status()).isEqualTo(202);
            }
        });
        publisher.start();
        for (int change = 1; change <= 3; change++) {
            String now = path + change;
            Files.writeString(folder.resolve("redrive.yml"), configuration.replace("/hooks", now));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> server.get("/api/v1/routes").body().contains(now));
        }
        publisher.join();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> receiver.requests.stream()
                                .map(request -> request.header("webhook-id"))
                                .filter(id -> id.startsWith("load-"))
                                .distinct()
                                .count()
                        == events);
        Files.writeString(folder.resolve("redrive.yml"), configuration);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !server.get("/api/v1/routes").body().contains(path));
    }

    /** A page of a browser on this machine reaches the server by a name of its own, which leads to 127.0.0.1. */
    @Test
    void without_auth_a_host_of_another_name_is_refused() throws Exception {
        for (String host :
                List.of("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "[::1].evil")) {
            try (Socket socket = new Socket("127.0.0.1", server.port())) {
                socket.setSoTimeout(20_000);
                String request = "GET /api/v1/letters HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertThat(answer).as(host).matches("(?s)HTTP/1.1 (400|403|421) .*");
            }
        }
        assertThat(server.get("/api/v1/letters").status()).isEqualTo(200);
    }
}
