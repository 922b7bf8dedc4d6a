package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.message.MessageWriter;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.jackson.JsonFormat;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CloudEvents SDK as a client: whatever the SDK writes, the server stores as the SDK meant it. */
final class CloudEventsSdkIT {

    private static final OffsetDateTime TIME = OffsetDateTime.parse("2026-03-01T10:00:00.123456Z");
    private static final byte[] DATA = "{\"total\": 12.50, \"note\": \"Grüße\"}".getBytes(StandardCharsets.UTF_8);

    private static final Map<String, Event> STORED = new HashMap<>();

    @TempDir
    static Path folder;

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start(folder, "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static CloudEvent event(String id) {
        return CloudEventBuilder.v1()
                .withId(id)
                .withType("order.paid")
                .withSource(URI.create("https://shop.example/orders?x=1"))
                .withSubject("order 17+1, \"new\" & 100 %")
                .withTime(TIME)
                .withDataContentType("application/json")
                .withData(DATA)
                .withExtension("tenant", "blue")
                .build();
    }

    /** Sends what the SDK writes: headers, and a body. */
    private static Reply send(CloudEvent event, boolean binary) {
        List<String> headers = new ArrayList<>();
        List<byte[]> bodies = new ArrayList<>();
        MessageWriter<?, ?> writer = HttpMessageFactory.createWriter(
                (name, value) -> headers.addAll(List.of(name, value)),
                body -> bodies.add(body == null ? new byte[0] : body));
        if (binary) {
            writer.writeBinary(event);
        } else {
            writer.writeStructured(event, JsonFormat.CONTENT_TYPE);
        }
        return server.send("POST", "/api/v1/events", bodies.get(0), headers.toArray(String[]::new));
    }

    private static Event stored(String id) {
        ClaimRequest all = new ClaimRequest("test", Lane.DOMAIN, 100, false, Duration.ofMinutes(10), Instant.now());
        server.store().claim(all).forEach(claim -> STORED.put(claim.event().id(), claim.event()));
        return Objects.requireNonNull(STORED.get(id), id);
    }

    private static void isAsSent(String id) throws Exception {
        Event event = stored(id);
        assertThat(event.name()).isEqualTo("order.paid");
        assertThat(event.source()).isEqualTo("https://shop.example/orders?x=1");
        assertThat(event.created()).isEqualTo(TIME.toInstant());
        assertThat(event.contentType()).startsWith("application/json");
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(event.payload())).isEqualTo(json.readTree(DATA));
        assertThat(event.headers().values()).contains("blue", "order 17+1, \"new\" & 100 %");
    }

    @Test
    void a_binary_event_is_stored() throws Exception {
        Reply reply = send(event("binary-1"), true);
        assertThat(reply.status()).as(reply.body()).isEqualTo(202);
        isAsSent("binary-1");
        assertThat(send(event("binary-1"), true).field("result")).isEqualTo("duplicate");
    }

    @Test
    void a_structured_event_is_stored() throws Exception {
        Reply reply = send(event("structured-1"), false);
        assertThat(reply.status()).as(reply.body()).isEqualTo(202);
        isAsSent("structured-1");
    }

    @Test
    void a_batch_is_stored() throws Exception {
        JsonFormat format = new JsonFormat();
        String batch = "[" + new String(format.serialize(event("batch-1")), StandardCharsets.UTF_8) + ","
                + new String(format.serialize(event("batch-2")), StandardCharsets.UTF_8) + "]";
        Reply reply = server.post("/api/v1/events", batch, "Content-Type", "application/cloudevents-batch+json");
        assertThat(reply.status()).as(reply.body()).isEqualTo(202);
        isAsSent("batch-1");
        isAsSent("batch-2");
    }

    @Test
    void binary_data_that_is_no_text_stays_as_it_is_in_both_forms() {
        byte[] bytes = {0, (byte) 0xff, (byte) 0xc3, 10};
        for (boolean binary : new boolean[] {true, false}) {
            CloudEvent raw = CloudEventBuilder.v1(event("raw-" + binary))
                    .withDataContentType("application/octet-stream")
                    .withData(bytes)
                    .build();
            Reply reply = send(raw, binary);
            assertThat(reply.status()).as(reply.body()).isEqualTo(202);
            assertThat(stored("raw-" + binary).payload()).isEqualTo(bytes);
        }
    }
}
