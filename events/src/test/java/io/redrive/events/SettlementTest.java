package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SettlementTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant DUE = NOW.plusSeconds(5);
    private static final Claim CLAIM =
            new Claim(Event.named("order.paid").source("shop").build(), 1, 1, Attempts.NONE, NOW, Duration.ZERO, 0);
    private static final AttemptRecord ATTEMPT =
            new AttemptRecord(1, NOW, "node-1", Duration.ZERO, "IOException", "closed", "retry", "after 5s");

    @Test
    void only_a_retry_and_a_snooze_have_a_time_at_which_the_event_is_ready_again() {
        assertThat(new Settlement.Retry(CLAIM, DUE, Duration.ofSeconds(5), ATTEMPT).readyAgain())
                .contains(DUE);
        assertThat(new Settlement.Snooze(CLAIM, DUE).readyAgain()).contains(DUE);
        assertThat(new Settlement.Done(CLAIM).readyAgain()).isEmpty();
        assertThat(new Settlement.Release(CLAIM).readyAgain()).isEmpty();
        assertThat(dead().readyAgain()).isEmpty();
    }

    @Test
    void only_a_retry_and_a_death_have_a_failed_attempt() {
        assertThat(new Settlement.Retry(CLAIM, DUE, Duration.ofSeconds(5), ATTEMPT).failedAttempt())
                .contains(ATTEMPT);
        assertThat(dead().failedAttempt()).contains(ATTEMPT);
        assertThat(new Settlement.Done(CLAIM).failedAttempt()).isEmpty();
        assertThat(new Settlement.Release(CLAIM).failedAttempt()).isEmpty();
        assertThat(new Settlement.Snooze(CLAIM, DUE).failedAttempt()).isEmpty();
    }

    private static Settlement dead() {
        return new Settlement.Dead(CLAIM, Reason.NOT_RETRYABLE, ATTEMPT, "f", "shop");
    }
}
