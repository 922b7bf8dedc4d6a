package io.redrive.events;

import io.redrive.core.DurationText;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryListener;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows one event under an {@link EventRetry}: writes the log, tells the listeners, keeps the history. */
final class EventRetryJournal implements RetryListener {

    private static final Logger LOG = System.getLogger(EventRetryJournal.class.getPackageName());
    /** From this share of the time allowed on, a retry is logged as a warning. */
    private static final double NEARLY = 0.8;

    private final EventRetry<?> retry;
    private final RetryPolicy policy;
    private final String key;
    private final Instant began;
    private final Deque<AttemptRecord> history = new ArrayDeque<>();
    /** Start of the attempt under way, counted from the start of the first attempt. */
    private Duration attemptBegan = Duration.ZERO;

    EventRetryJournal(EventRetry<?> retry, RetryPolicy policy, String key) {
        this.retry = retry;
        this.policy = policy;
        this.key = key;
        began = retry.time().now();
    }

    @Override
    public void onRetry(Retrying event) {
        keep(event.attempt(), event.failure(), event.elapsed(), "retry", "after " + DurationText.format(event.delay()));
        Duration next = event.elapsed().plus(event.delay());
        attemptBegan = next;
        LOG.log(
                isNearlyOver(event.attempt() + 1, next) ? Level.WARNING : Level.INFO,
                () -> "Retry attempt " + (event.attempt() + 1) + "/" + event.maxAttempts()
                        + " for event with idempotency key: " + key + " in " + DurationText.format(event.delay())
                        + " (" + event.failure().type() + ")");
        EventRetryListener.Retrying retrying = new EventRetryListener.Retrying(
                retry.service(), key, event.attempt(), event.maxAttempts(), event.delay());
        retry.tell(listener -> listener.onRetry(retrying));
    }

    @Override
    public void onSuccess(Succeeded event) {
        if (event.attempts() > 1) {
            LOG.log(
                    Level.INFO,
                    () -> "Event processed successfully after " + event.attempts() + " attempts (total latency: "
                            + DurationText.format(event.elapsed()) + "), idempotency key: " + key);
        }
        EventRetryListener.Succeeded succeeded =
                new EventRetryListener.Succeeded(retry.service(), key, event.attempts(), event.elapsed());
        retry.tell(listener -> listener.onSuccess(succeeded));
    }

    @Override
    public void onGaveUp(GaveUp event) {
        if (event.reason() != Reason.INTERRUPTED) {
            Reason reason = reasonOf(event.reason(), event.failure());
            keep(event.attempts(), event.failure(), event.elapsed(), "dead", reason.code());
        }
    }

    <E> AbandonedEvent<E> abandoned(E event, RetryResult.Failure<@Nullable Void> ending, Throwable error) {
        Failure failure = Failure.thrown(error);
        return new AbandonedEvent<>(
                event,
                key,
                ending.attempts(),
                failure.message(),
                failure.type(),
                reasonOf(ending.reason(), failure),
                retry.service(),
                retry.time().now(),
                List.copyOf(history));
    }

    void sent(AbandonedEvent<?> abandoned) {
        LOG.log(
                Level.ERROR,
                () -> "Event sent to DLQ after " + abandoned.attemptCount() + " attempts (reason: "
                        + abandoned.reason().code() + "), idempotency key: " + key + ": " + abandoned.lastError());
        EventRetryListener.Abandoned event = new EventRetryListener.Abandoned(
                retry.service(), key, abandoned.reason(), abandoned.attemptCount(), abandoned.errorType());
        retry.tell(listener -> listener.onAbandoned(event));
    }

    private void keep(int number, Failure failure, Duration elapsed, String decision, String why) {
        if (history.size() == AbandonedEvent.MAX_HISTORY) {
            history.removeFirst();
        }
        Duration took = elapsed.minus(attemptBegan);
        history.addLast(new AttemptRecord(
                number,
                began.plus(attemptBegan),
                retry.service(),
                took.isNegative() ? Duration.ZERO : took,
                failure.type(),
                failure.message(),
                decision,
                why));
    }

    private boolean isNearlyOver(int attempt, Duration elapsed) {
        boolean lastAttempt = attempt >= policy.maxAttempts();
        return lastAttempt
                || policy.maxDuration()
                        .filter(limit -> elapsed.toMillis() > NEARLY * limit.toMillis())
                        .isPresent();
    }

    /** An Error that is not retried did not come from the event: the handler is broken. */
    private static Reason reasonOf(Reason reason, Failure failure) {
        boolean crashed = failure instanceof Failure.Thrown thrown && thrown.error() instanceof Error;
        return crashed && reason == Reason.NOT_RETRYABLE ? Reason.HANDLER_CRASHED : reason;
    }
}
