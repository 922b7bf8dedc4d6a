package io.redrive.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.server.DeadLetterSeed;
import io.redrive.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationReloadIT {

    /** Twice the promise of two seconds, for machines under load. */
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private void write(String yaml) throws IOException {
        Files.writeString(folder.resolve("redrive.yml"), yaml);
    }

    private static int attempts(TestServer server) {
        return server.get("/api/v1/policies/explain?name=order.paid")
                        .json()
                        .path("rows")
                        .size()
                + 1;
    }

    private static String refusal(TestServer server) {
        return server.get("/api/v1/status").json().at("/configuration/refusal").asString("");
    }

    private static String shownNote(TestServer server) {
        return server.get("/api/v1/letters/1").body();
    }

    @Test
    void redaction_and_retention_follow_the_file() throws IOException {
        try (var seed = new DeadLetterSeed(folder.resolve("events.db"))) {
            seed.die("a", "{\"note\":\"secret-1\",\"other\":\"secret-2\"}", "refused");
        }
        try (TestServer server = TestServer.start(folder, "redaction: {rules: [/note]}\n")) {
            assertThat(shownNote(server)).contains("secret-2").doesNotContain("secret-1");

            write("redaction: {rules: [/other]}\nretention: {older-than: 3650d, folder: %s}\n".formatted(folder));
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(shownNote(server)).contains("secret-1").doesNotContain("secret-2"));
            assertThat(server.bean("liveLetterRules", LiveLetterRules.class).retention())
                    .isPresent();
            assertThat(server.get("/api/v1/actions?action=configure").body())
                    .contains("redaction.rules[0]", "retention.older-than");

            write("redaction: {rules: ['pattern:(']}\n");
            await().atMost(SOON).untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:1"));
            write("redaction: {rules: [/note]}\nretention: {older-than: 30d}\n");
            await().atMost(SOON).untilAsserted(() -> assertThat(refusal(server)).contains("retention"));
            assertThat(shownNote(server)).contains("secret-1").doesNotContain("secret-2");
        }
    }

    @Test
    void a_valid_change_is_in_force_and_recorded_and_an_invalid_one_is_refused() throws IOException {
        try (TestServer server = TestServer.start(folder, "events: {policies: {order.*: {max-attempts: 4}}}\n")) {
            assertThat(attempts(server)).isEqualTo(4);

            write("events: {policies: {order.*: {max-attempts: 6}}}\nlimits: {page: 7}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(attempts(server)).isEqualTo(6));
            assertThat(server.get("/api/v1/letters?limit=8").body()).contains("must be 1 to 7");
            assertThat(server.get("/api/v1/actions?action=configure").body())
                    .contains("events.policies[order.*].max-attempts", "limits.page", "configuration");

            write("limits: {page: 9}\nevents: {policies: {order.*: {max-atempts: 9}}}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:2", "max-attempts"));
            assertThat(attempts(server)).isEqualTo(6);
            assertThat(server.get("/api/v1/letters?limit=8").body()).contains("must be 1 to 7");

            write("http: {port: 9999}\nevents: {policies: {order.*: {max-attempts: 9}}}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(refusal(server)).contains("redrive.yml:1", "needs a restart"));
            assertThat(attempts(server)).isEqualTo(6);

            write("events: {policies: {order.*: {max-attempts: 5}}}\n");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(attempts(server)).isEqualTo(5));
            assertThat(refusal(server)).isEmpty();

            Files.delete(folder.resolve("redrive.yml"));
            assertThat(attempts(server)).isEqualTo(5);
        }
    }
}
