package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.server.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that the rules of the configuration name do not leave the server with letters. */
final class RedactedApiIT {

    private static final String LETTER = """
            {"original_event":{"id":"a-1","name":"order.paid","source":"shop","content_type":"application/json",\
            "payload":{"card":"pan-4222","total":12}},"abandoned_reason":"not_retryable","timestamp":"2026-01-01T00:00:00Z",\
            "error_type":"IOException","last_error":"card pan-4222 refused"}
            """;

    @TempDir
    private Path folder;

    @Test
    void letters_leave_the_server_without_the_values_that_a_rule_names() {
        try (TestServer server = TestServer.start(folder, "redaction: {rules: [/card]}\n")) {
            assertThat(server.post("/api/v1/letters/import", LETTER).status()).isEqualTo(200);
            long id = server.get("/api/v1/letters")
                    .json()
                    .path("items")
                    .get(0)
                    .path("id")
                    .asLong();

            for (String path : new String[] {"/api/v1/letters", "/api/v1/letters/" + id, "/api/v1/letters/export"}) {
                assertThat(server.get(path).body())
                        .as(path)
                        .contains("[redacted]")
                        .doesNotContain("pan-4222");
            }
        }
    }
}
