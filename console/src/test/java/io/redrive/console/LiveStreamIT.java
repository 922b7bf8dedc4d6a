package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.EventStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The stream of live updates, at another mount path and with room for two pages. */
class LiveStreamIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext shop;
    private static LiveStreams streams;

    @BeforeAll
    static void start() {
        shop = Shop.start("shop.open=true", "redrive.console.path=/ops", "redrive.console.streams=2");
        streams = shop.getBean(LiveStreams.class);
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    /** Opens a stream; the caller closes the reader. */
    private static BufferedReader open() throws IOException {
        URLConnection connection =
                URI.create(Shop.urlOf(shop) + "/ops/stream").toURL().openConnection();
        connection.setReadTimeout((int) PATIENCE.toMillis());
        assertThat(connection.getContentType()).startsWith("text/event-stream");
        assertThat(connection.getHeaderField("X-Accel-Buffering")).isEqualTo("no");
        return new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void awaitLine(BufferedReader stream, String line) throws IOException {
        String read = stream.readLine();
        while (read != null && !read.equals(line)) {
            read = stream.readLine();
        }
        assertThat(read).as("the stream ended before " + line).isNotNull();
    }

    private static long streamThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("redrive-console-streams"))
                .count();
    }

    @Test
    void a_page_is_told_of_changes_by_one_thread_and_further_pages_are_refused() throws IOException {
        EventStore store = shop.getBean(EventStore.class);
        // Applications of other test classes may still run in this process, each with a thread of its own.
        long before = streamThreads();
        try (BufferedReader first = open();
                BufferedReader second = open()) {
            awaitLine(first, "event:change");
            awaitLine(second, "event:change");
            assertThat(streams.open()).isEqualTo(2);
            store.deadLetters().importLetters(List.of(Incident.hostile("live", Instant.now())), "test", Instant.now());
            awaitLine(first, "event:change");
            assertThat(new Caller(Shop.urlOf(shop), "").get("/ops/stream").statusCode())
                    .isEqualTo(503);
            assertThat(streamThreads()).isBetween(1L, before + 1);
        }
        // A browser that went away is noticed by the next message.
        await().atMost(PATIENCE).until(() -> streams.open() == 0);
        try (BufferedReader again = open()) {
            awaitLine(again, "event:change");
        }
    }

    @Test
    void pages_know_the_address_of_the_stream_below_their_mount_path() {
        assertThat(new Caller(Shop.urlOf(shop), "").get("/ops").body()).contains("data-stream=\"/ops/stream\"");
    }
}
