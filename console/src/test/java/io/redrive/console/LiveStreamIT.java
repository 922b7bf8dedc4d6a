package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The stream of live updates, at another mount path and with room for two pages. */
class LiveStreamIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @RegisterExtension
    static final OpenShop SHOP = new OpenShop();

    /** Opens a stream; the caller closes the reader. */
    private static BufferedReader open() throws IOException {
        URLConnection connection = URI.create(SHOP.url() + "/stream").toURL().openConnection();
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
        LiveStreams streams = SHOP.streams();
        // Applications of other test classes may still run in this process, each with a thread of its own.
        long before = streamThreads();
        try (BufferedReader first = open();
                BufferedReader second = open()) {
            awaitLine(first, "event:change");
            awaitLine(second, "event:change");
            assertThat(streams.open()).isEqualTo(2);
            SHOP.store()
                    .deadLetters()
                    .importLetters(List.of(Incident.hostile("live", Instant.now())), "test", Instant.now());
            awaitLine(first, "event:change");
            assertThat(SHOP.as("").get("/stream").statusCode()).isEqualTo(503);
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
        assertThat(SHOP.as("").get("").body()).contains("data-stream=\"/shop/ops/queue/stream\"");
    }
}
