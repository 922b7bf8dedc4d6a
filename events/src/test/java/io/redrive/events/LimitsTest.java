package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of the ports' small values, and the messages about bad values. */
final class LimitsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void a_demand_out_of_range_is_refused(int demand) {
        assertThatThrownBy(() -> request("n", demand, Duration.ofSeconds(1)))
                .hasMessage("demand must be between 1 and 1000, got " + demand);
    }

    @Test
    void a_claim_needs_a_node_and_a_lease() {
        assertThatThrownBy(() -> request(" ", 1, Duration.ofSeconds(1))).hasMessageStartingWith("node must be");
        assertThatThrownBy(() -> request("n", 1, Duration.ZERO)).hasMessage("lease must be longer than zero, got PT0S");
        assertThatThrownBy(() -> request("n", 1, Duration.ofSeconds(-1)))
                .hasMessage("lease must be longer than zero, got PT-1S");
        assertThat(request("n", 1_000, Duration.ofNanos(1)).demand()).isEqualTo(1_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1_001})
    void a_redrive_limit_out_of_range_is_refused(int limit) {
        assertThatThrownBy(() -> new RedriveRequest(LetterFilter.ALL, limit, "b", "ann", false, NOON))
                .hasMessage("redrive limit must be between 1 and 1000, got " + limit);
    }

    @Test
    void a_redrive_needs_a_batch_and_an_operator() {
        assertThatThrownBy(() -> new RedriveRequest(LetterFilter.ALL, 1, "", "ann", false, NOON))
                .hasMessageStartingWith("batch must be");
        assertThatThrownBy(() -> new RedriveRequest(LetterFilter.ALL, 1, "b", null, false, NOON))
                .hasMessageStartingWith("operator must be");
    }

    @Test
    void attempts_are_counted_apart() {
        Attempts attempts =
                Attempts.NONE.plusFailed().plusFailed().plusInterrupted().plusCrashed();
        assertThat(attempts).isEqualTo(new Attempts(2, 1, 1));
        assertThat(attempts.current()).isEqualTo(3);
        assertThat(Attempts.NONE.current()).isEqualTo(1);
    }

    @Test
    void an_attempt_record_keeps_only_characters_that_a_store_can_keep() {
        assertThat(attempt("x".repeat(11_000)).message()).hasSize(10_000).endsWith("…");
        assertThat(attempt("x".repeat(10_000)).message()).hasSize(10_000).endsWith("x");
        assertThat(attempt(null).message()).isEmpty();
        assertThat(attempt("a\u0000b\uD83Dc").message()).isEqualTo("a\uFFFDb\uFFFDc");
        assertThat(attempt("x".repeat(9_998) + "🚀🚀").message()).isEqualTo("x".repeat(9_998) + "…");
    }

    @ParameterizedTest
    @EnumSource
    void a_priority_is_found_by_its_code_and_travels_in_one_lane(Priority priority) {
        assertThat(Priority.of(priority.code())).isEqualTo(priority);
        assertThat(priority.lane().priorities()).contains(priority);
    }

    @Test
    void an_unknown_priority_is_told_the_choice() {
        assertThatThrownBy(() -> Priority.of("urgent"))
                .hasMessage("priority must be one of low, normal, high, critical; got 'urgent'");
    }

    private static ClaimRequest request(String node, int demand, Duration lease) {
        return new ClaimRequest(node, Lane.DOMAIN, demand, false, lease, NOON);
    }

    private static AttemptRecord attempt(String message) {
        return new AttemptRecord(1, NOON, "n", Duration.ZERO, "E", message, "retry", "1 s");
    }
}
