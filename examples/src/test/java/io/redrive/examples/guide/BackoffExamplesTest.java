package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snippets of backoff-and-jitter.md. */
final class BackoffExamplesTest {

    @Test
    void every_kind_of_backoff_has_a_factory() {
        // snippet: backoffs
        Backoff none = Backoff.none();
        Backoff fixed = Backoff.fixed(Duration.ofSeconds(5));
        Backoff linear = Backoff.linear(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(30));
        Backoff exponential = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 1.5);
        Backoff listed = Backoff.delays(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(20));
        Backoff own = Backoff.custom(attempt -> Duration.ofMillis(50L * attempt * attempt));
        // end
        assertThat(none.delay(7)).isZero();
        assertThat(fixed.delay(7)).isEqualTo(Duration.ofSeconds(5));
        assertThat(linear.delay(3)).isEqualTo(Duration.ofSeconds(5));
        assertThat(exponential.delay(3)).isEqualTo(Duration.ofMillis(225));
        assertThat(listed.delay(9)).isEqualTo(Duration.ofSeconds(20));
        assertThat(own.delay(4)).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void a_preset_is_a_place_to_start_from() {
        // snippet: presets
        RetryPolicy policy = Presets.VISIBILITY.toBuilder()
                .maxAttempts(12)
                .jitter(Jitter.decorrelated())
                .build();
        // end
        assertThat(policy.maxAttempts()).isEqualTo(12);
        assertThat(policy.maxDuration()).contains(Duration.ofMinutes(30));
    }

    /** The table of presets in the guide. */
    static String presets() {
        StringBuilder table = new StringBuilder("| preset | policy |\n|---|---|\n");
        for (Map.Entry<String, RetryPolicy> preset : Presets.all().entrySet()) {
            table.append("| `")
                    .append(preset.getKey())
                    .append("` | ")
                    .append(preset.getValue())
                    .append(" |\n");
        }
        return table.toString();
    }
}
