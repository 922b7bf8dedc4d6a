package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The whole demo against its real server, with waits that take no time. */
final class DemoCallsTest {

    private final ManualTime time = new ManualTime();
    private final Ran demo = Ran.redrive(time, "demo", "calls");

    @Test
    void the_demo_ends_well_and_names_the_next_commands() {
        assertThat(demo.err()).isEmpty();
        assertThat(demo.code()).isZero();
        assertThat(demo.out()).contains("Next:", "redrive policy explain --preset visibility");
    }

    @Test
    void a_flaky_call_is_retried_until_success() {
        assertThat(scene(1)).containsSubsequence("attempt 1/4  503", "attempt 2/4  503", "attempt 3/4  200 success");
    }

    @Test
    void an_exhausted_call_ends_with_one_error_in_the_log() {
        assertThat(scene(2))
                .containsSubsequence(
                        "attempt 4/4  500  gave up: max_attempts_exceeded",
                        "log ERROR report failed after 4/4 attempts")
                .containsOnlyOnce("ERROR");
    }

    @Test
    void a_mistake_is_not_retried() {
        assertThat(scene(3))
                .contains("attempt 1/4  404  gave up: not_retryable")
                .doesNotContain("attempt 2/4");
    }

    @Test
    void retry_after_is_honoured() {
        assertThat(scene(4)).contains("attempt 1/4  429  wait 1s; the server asked for 1s", "attempt 2/4  200 success");
        assertThat(time.sleeps()).contains(Duration.ofSeconds(1));
    }

    @Test
    void the_breaker_opens_leaves_the_server_alone_and_closes_again() {
        assertThat(scene(5))
                .containsSubsequence(
                        "CLOSED -> OPEN",
                        "refused without an attempt: circuit_open",
                        "the server was left alone",
                        "OPEN -> HALF_OPEN",
                        "HALF_OPEN -> CLOSED",
                        "attempt 1/2  200 success");
    }

    @Test
    void the_policy_in_use_is_explained() {
        assertThat(scene(6)).contains("4 attempts, exponential 200ms ×2, max 10s, jitter ±20%", "worst case: 1.68s");
    }

    private String scene(int number) {
        String out = demo.out();
        int next = out.indexOf("\n" + (number + 1) + ". ");
        return out.substring(out.indexOf("\n" + number + ". "), next < 0 ? out.length() : next);
    }
}
