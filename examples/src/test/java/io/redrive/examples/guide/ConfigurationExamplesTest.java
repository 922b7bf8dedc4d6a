package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.redrive.core.Backoff;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The snippets of configuration.md. */
final class ConfigurationExamplesTest {

    @Test
    void a_policy_is_read_from_a_map() {
        // snippet: from-map
        RetryPolicy policy = RetryPolicy.fromMap(Map.of(
                "max-attempts", "8",
                "backoff", "exponential",
                "initial-delay", "250ms",
                "max-delay", "60s",
                "jitter", "full",
                "max-duration", "30m",
                "retry-on-status", "429, 503"));
        // end
        assertThat(policy.toString()).isEqualTo(Presets.VISIBILITY.toString());
    }

    @Test
    void a_policy_is_read_from_properties() throws IOException {
        String file = """
                payments.retry.preset = connection
                payments.retry.max-attempts = 4
                payments.retry.jitter = 0.2
                """;
        Properties properties = new Properties();
        properties.load(new StringReader(file));
        // snippet: from-properties
        RetryPolicy policy = RetryPolicy.fromProperties(properties, "payments.retry");
        // end
        assertThat(policy.maxAttempts()).isEqualTo(4);
        assertThat(policy.backoff()).isEqualTo(Backoff.exponential(Duration.ofSeconds(5), Duration.ofMinutes(5)));
    }

    @Test
    void a_policy_is_read_from_the_environment() {
        // snippet: from-environment
        RetryPolicy policy = RetryPolicy.fromEnvironment(System.getenv());
        // end
        assertThat(policy.toString()).isEqualTo(Presets.VISIBILITY.toString());
    }

    @Test
    void settings_in_seconds_are_understood() {
        RetryPolicy policy = RetryPolicy.fromMap(Map.of(
                "enabled", "true",
                "max-attempts", "5",
                "initial-delay-seconds", "5",
                "max-delay-seconds", "300",
                "backoff-multiplier", "2.0"));
        assertThat(policy.toString()).isEqualTo(Presets.CONNECTION.toString());
        assertThat(RetryPolicy.fromMap(Map.of("enabled", "false")).maxAttempts())
                .isEqualTo(1);
    }

    /** The messages for refused settings. */
    static String errors() {
        List<Map<String, String>> bad = List.of(
                Map.of("max-attempts", "0"),
                Map.of("max-attempts", "many"),
                Map.of("initial-delay", "250"),
                Map.of("backoff", "quadratic"),
                Map.of("initial-delay", "1m", "max-delay", "10s"),
                Map.of("jitter", "1.5"),
                Map.of("preset", "fast"));
        StringBuilder text = new StringBuilder();
        for (Map<String, String> settings : bad) {
            Throwable error = catchThrowable(() -> RetryPolicy.fromMap(settings));
            text.append(error.getMessage()).append('\n');
        }
        return text.toString();
    }

    static String explained() {
        return Presets.VISIBILITY.explain().toString();
    }
}
