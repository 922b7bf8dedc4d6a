package io.redrive.operations.policy;

import io.redrive.core.Attempt;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The decisions of one policy about one past event. A pure function of both: waits are the middle of their jitter.
 *
 * @param event the event
 * @param attempts the attempts of the handler; at least this many for an event that is {@linkplain ReplayedEnd#TRIED_AGAIN tried again}
 * @param waited the sum of the waits
 * @param end the end of the event
 */
record ReplayedEvent(PastEvent event, int attempts, Duration waited, ReplayedEnd end) {

    /** Always the middle of a range. */
    private static final RandomGenerator MIDDLE = new RandomGenerator() {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long origin, long bound) {
            return origin + (bound - origin) / 2;
        }
    };

    /**
     * Asks the policy after each recorded failure, in order, until the policy gives up or the recorded failures end.
     *
     * @param policy the policy; its rules about kinds of failures are left out, see {@link PolicyReplay}
     */
    static ReplayedEvent of(PastEvent event, RetryPolicy policy) {
        RetryPolicy numbers = policy.toBuilder().retryAll().build();
        Instant began = event.failures().get(0).at();
        Duration elapsed = Duration.ZERO;
        Duration waited = Duration.ZERO;
        Duration previous = Duration.ZERO;
        int number = 0;
        for (PastEvent.Failed failed : event.failures()) {
            number++;
            elapsed = elapsed.plus(failed.took());
            Decision decision = numbers.decideSafely(
                    new Attempt(number, Failure.kind(failed.errorType()), elapsed, previous, MIDDLE));
            if (!(decision instanceof Decision.RetryAfter retry) || isTooLate(event, began, elapsed, retry.delay())) {
                return new ReplayedEvent(event, number, waited, givenUpAt(number, event));
            }
            previous = retry.delay();
            elapsed = elapsed.plus(previous);
            waited = waited.plus(previous);
        }
        return new ReplayedEvent(
                event, number + 1, waited, event.isSaved() ? ReplayedEnd.DONE_ALIKE : ReplayedEnd.TRIED_AGAIN);
    }

    private static boolean isTooLate(PastEvent event, Instant began, Duration elapsed, Duration delay) {
        return event.deadline()
                .filter(deadline -> elapsed.plus(delay).compareTo(Duration.between(began, deadline)) >= 0)
                .isPresent();
    }

    private static ReplayedEnd givenUpAt(int attempt, PastEvent event) {
        if (event.isSaved()) {
            return ReplayedEnd.GIVEN_UP_INSTEAD;
        }
        return attempt < event.failures().size() ? ReplayedEnd.GIVEN_UP_SOONER : ReplayedEnd.GIVEN_UP_ALIKE;
    }
}
