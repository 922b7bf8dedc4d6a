package io.redrive.events;

import io.redrive.core.Failure;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import io.redrive.core.RetryableException;
import io.redrive.core.Time;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
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
 * bus.subscribe(message -> retry.handle(this::onParsed, message, IdempotencyKey.of("chunking", message.ids())));
 * }</pre>
 *
 * <p>With {@linkplain Builder#keys a store of keys}, an event whose key was handled is not handled again.
 *
 * <p>The thread is held while it waits. For waits that survive the process, publish to a pipeline instead.
 * Immutable and thread-safe.
 *
 * @param <E> the bus's type of events
 */
public final class EventRetry<E> {

    private static final Logger LOG = System.getLogger(EventRetry.class.getPackageName());

    private final String service;
    private final DeadLetterSink<E> sink;
    private final RetryPolicy policy;
    private final HandledKeys keys;
    private final Duration retention;
    private final List<EventRetryListener> listeners;
    private final Time time;
    private final RandomGenerator random;

    private EventRetry(Builder<E> builder) {
        service = builder.service;
        sink = builder.sink;
        policy = builder.policy;
        keys = builder.keys;
        retention = builder.retention;
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
     * @param idempotencyKey names the event in logs and in the dead-letter sink, and tells a second delivery of the same event;
     *     made from stable ids of the documents, see {@link IdempotencyKey}
     * @return a success, of 0 attempts when the key was handled before; or a failure when attempts or time ran out: then
     *     the event is in the sink and the bus is done with it
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
        HandledKeys.require(idempotencyKey);
        if (wasHandled(idempotencyKey)) {
            return new RetryResult.Success<>(null, 0, Duration.ZERO);
        }
        RetryPolicy races =
                policyOfThis.toBuilder().retryOn(RetryableException.class).build();
        EventRetryJournal journal = new EventRetryJournal(this, races, idempotencyKey);
        Retry retry = Retry.with(races).time(time).listener(journal);
        RetryResult<Void> result = (random == null ? retry : retry.random(random)).run(() -> handler.handle(event));
        if (result instanceof RetryResult.Failure<Void> failure) {
            failed(event, failure, journal);
        } else {
            noteHandled(idempotencyKey);
        }
        return result;
    }

    /** A store of keys that fails costs at most a second run of a handler; it must not keep events from being handled. */
    private boolean wasHandled(String key) {
        if (keys == null) {
            return false;
        }
        try {
            if (!keys.contains(key, time.now())) {
                return false;
            }
        } catch (RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "cannot look up idempotency key " + key + ", handling its event: "
                            + Failure.thrown(e).message());
            return false;
        }
        LOG.log(Level.INFO, () -> "Event not handled again, idempotency key: " + key);
        tell(listener -> listener.onDuplicate(new EventRetryListener.Duplicate(service, key)));
        return true;
    }

    private void noteHandled(String key) {
        if (keys == null) {
            return;
        }
        try {
            Instant now = time.now();
            keys.add(key, now.plus(retention), now);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "cannot note idempotency key " + key + ", whose event is handled: "
                            + Failure.thrown(e).message());
        }
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
                            + abandoned.idempotencyKey() + " goes back to its bus: "
                            + Failure.thrown(notKept).message());
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
                LOG.log(
                        Level.WARNING,
                        "listener " + listener.getClass().getName() + " threw; ignored: "
                                + Failure.thrown(e).message());
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
        private HandledKeys keys;
        private Duration retention = Duration.ofHours(24);
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

        /** Where keys of handled events are kept for 24 hours; without it every delivery is handled. */
        public Builder<E> keys(HandledKeys store) {
            keys = Objects.requireNonNull(store, "store");
            return this;
        }

        /** {@link #keys(HandledKeys)} with another time for which a key is kept. */
        public Builder<E> keys(HandledKeys store, Duration keptFor) {
            if (keptFor.isNegative() || keptFor.isZero()) {
                throw new IllegalArgumentException("keptFor must be longer than zero, got " + keptFor);
            }
            retention = keptFor;
            return keys(store);
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
