package io.redrive.pipeline;

import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import io.redrive.core.RetryableException;
import io.redrive.core.Time;
import io.redrive.events.AbandonedEvent;
import io.redrive.events.DeadLetterSink;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Wraps a handler of any bus against the race with a store that shows a document later than its event: a handler that
 * throws {@link DocumentNotFoundException} (or another {@link RetryableException}, or what the policy itself names) is
 * called again, in process, with full jitter, until the document is there or attempts or time run out. What else it
 * throws is no race: it goes to the dead-letter sink at once and is thrown again.
 *
 * <pre>{@code
 * EventRetry<Message> retry = EventRetry.forService("chunking", sink).policyFromEnvironment(System.getenv()).build();
 * bus.subscribe(message -> retry.handle(this::onParsed, message, "chunking-" + message.ids()));
 * }</pre>
 *
 * <p>The thread is held while it waits. For waits that survive the process, publish to a {@link Pipeline} instead.
 * Immutable and thread-safe.
 *
 * @param <E> the bus's type of events
 */
public final class EventRetry<E> {

    private static final Logger LOG = System.getLogger(EventRetry.class.getPackageName());

    private final String service;
    private final DeadLetterSink<E> sink;
    private final RetryPolicy policy;
    private final List<EventRetryListener> listeners;
    private final Time time;
    private final RandomGenerator random;

    private EventRetry(Builder<E> builder) {
        service = builder.service;
        sink = builder.sink;
        policy = builder.policy;
        listeners = List.copyOf(builder.listeners);
        time = builder.time;
        random = builder.random;
    }

    /**
     * What handles an event.
     *
     * @param <E> the bus's type of events
     * @param <X> what it may throw
     */
    @FunctionalInterface
    public interface Handler<E, X extends Exception> {

        /** Handles it once. */
        void handle(E event) throws X;
    }

    /** Starts the wrapping of handlers of {@code service}; what is given up goes to {@code sink}. */
    public static <E> Builder<E> forService(String service, DeadLetterSink<E> sink) {
        return new Builder<>(service, sink);
    }

    /**
     * Handles one event.
     *
     * @param idempotencyKey names the event in logs and in the dead-letter sink; made from stable ids of the documents
     * @return a success, or a failure when attempts or time ran out: then the event is in the sink and the bus is done
     *     with it
     * @throws X what the handler threw when that is not worth a retry (it is in the sink); also when the thread was
     *     interrupted or the sink failed (it is not in the sink: the bus has to deliver it again)
     */
    public <X extends Exception> RetryResult<Void> handle(Handler<? super E, X> handler, E event, String idempotencyKey)
            throws X {
        return handle(handler, event, policy, idempotencyKey);
    }

    /** {@link #handle(Handler, Object, String)} under another policy. */
    public <X extends Exception> RetryResult<Void> handle(
            Handler<? super E, X> handler, E event, RetryPolicy policyOfThis, String idempotencyKey) throws X {
        Objects.requireNonNull(idempotencyKey, "idempotencyKey");
        RetryPolicy races =
                policyOfThis.toBuilder().retryOn(RetryableException.class).build();
        EventRetryJournal journal = new EventRetryJournal(this, races, idempotencyKey);
        Retry retry = Retry.with(races).time(time).listener(journal);
        RetryResult<Void> result = (random == null ? retry : retry.random(random)).run(() -> handler.handle(event));
        if (result instanceof RetryResult.Failure<Void> failure) {
            failed(event, failure, journal);
        }
        return result;
    }

    private <X extends Exception> void failed(E event, RetryResult.Failure<Void> failure, EventRetryJournal journal)
            throws X {
        Throwable error = failure.lastException();
        if (failure.reason() == Reason.INTERRUPTED) {
            throw EventRetry.<X>thrown(error);
        }
        AbandonedEvent<E> abandoned = journal.abandoned(event, failure);
        try {
            sink.accept(abandoned);
        } catch (Exception notKept) {
            if (notKept != error) {
                error.addSuppressed(notKept);
            }
            LOG.log(
                    Level.ERROR,
                    "dead-letter sink of " + service + " failed; event with idempotency key "
                            + abandoned.idempotencyKey() + " goes back to its bus: " + notKept,
                    notKept);
            throw EventRetry.<X>thrown(error);
        }
        journal.sent(abandoned);
        if (!failure.reason().isExhaustion()) {
            throw EventRetry.<X>thrown(error);
        }
    }

    /** What a handler throws is X, or unchecked. */
    @SuppressWarnings("unchecked")
    private static <X extends Exception> X thrown(Throwable error) throws X {
        if (error instanceof Error serious) {
            throw serious;
        }
        throw (X) error;
    }

    String service() {
        return service;
    }

    Time time() {
        return time;
    }

    void tell(Consumer<EventRetryListener> event) {
        for (EventRetryListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, "listener " + listener.getClass().getName() + " threw; ignored: " + e, e);
            }
        }
    }

    /**
     * Builds an {@link EventRetry}. Not thread-safe.
     *
     * @param <E> the bus's type of events
     */
    public static final class Builder<E> {
        private final String service;
        private final DeadLetterSink<E> sink;
        private final List<EventRetryListener> listeners = new ArrayList<>();
        private RetryPolicy policy = Presets.VISIBILITY;
        private Time time = Time.system();
        private RandomGenerator random;

        private Builder(String service, DeadLetterSink<E> sink) {
            if (service.isBlank()) {
                throw new IllegalArgumentException("service must not be blank");
            }
            this.service = service;
            this.sink = Objects.requireNonNull(sink, "sink");
        }

        /** When to try again, instead of {@link Presets#VISIBILITY}; a {@link RetryableException} is always retried. */
        public Builder<E> policy(RetryPolicy value) {
            policy = Objects.requireNonNull(value, "policy");
            return this;
        }

        /** The policy from {@code RETRY_MAX_ATTEMPTS} and the other variables of that kind. */
        public Builder<E> policyFromEnvironment(Map<String, String> environment) {
            return policy(RetryPolicy.fromEnvironment(environment));
        }

        /** Adds a listener, for metrics. */
        public Builder<E> listener(EventRetryListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** The clock, for tests. */
        public Builder<E> time(Time clock) {
            time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** The source of jitter, for tests. */
        public Builder<E> random(RandomGenerator generator) {
            random = Objects.requireNonNull(generator, "generator");
            return this;
        }

        /** The wrapper. */
        public EventRetry<E> build() {
            return new EventRetry<>(this);
        }
    }
}
