package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.HandledKeys;
import io.redrive.pipeline.AttemptInterceptor;
import io.redrive.pipeline.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Skips records whose event was handled before, by id and correlation id, for topics whose producers send events twice.
 *
 * <pre>{@code
 * Pipeline.on(flow)
 *         .interceptor(DuplicateRecords.skippedBy(store.handledKeys(), Duration.ofDays(2), "orders"))
 *         .on("order.paid", event -> bill(event))
 * }</pre>
 *
 * <p>Each handled record costs a question to the store and a row, which stays for the given time. Records that an operator's reset
 * replays are skipped too while their keys hold. Two duplicates that are handled at the same moment are both handled, and batch
 * handlers get all records. Only events with an id of their own have duplicates: the id of any other
 * record is its place. Thread-safe.
 */
public final class DuplicateRecords implements AttemptInterceptor {

    private final HandledKeys keys;
    private final Duration keptFor;
    private final Set<String> topics;
    private final Time time;

    private DuplicateRecords(HandledKeys keys, Duration keptFor, Set<String> topics, Time time) {
        this.keys = Objects.requireNonNull(keys, "keys");
        this.keptFor = keptFor;
        this.topics = topics;
        this.time = time;
        if (keptFor.isNegative() || keptFor.isZero()) {
            throw new IllegalArgumentException("keptFor must be longer than zero, got " + keptFor);
        }
        if (topics.isEmpty()) {
            throw new IllegalArgumentException(
                    "duplicates are skipped in named topics, got none; name them, for example skippedBy(keys, keptFor, \"orders\")");
        }
    }

    /**
     * Returns an interceptor for a pipeline on a flow.
     *
     * @param keys the keys of handled events; those of {@code PostgresStore} hold for all members of the group
     * @param keptFor how long the key of a handled event holds
     * @param topics the topics with duplicates; records of other topics cost nothing
     */
    public static DuplicateRecords skippedBy(HandledKeys keys, Duration keptFor, String... topics) {
        return new DuplicateRecords(keys, keptFor, Set.of(topics), Time.system());
    }

    @Override
    public Outcome attempt(List<Claim> claims, Callable<Outcome> attempt) throws Exception {
        // The outcome of a batch says nothing about one of its events.
        if (claims.size() != 1 || !isOfTopics(claims.get(0).event())) {
            return attempt.call();
        }
        Event event = claims.get(0).event();
        String key = KeyNames.handled(event.id(), event.correlationId().orElse(""));
        if (keys.contains(key, time.now())) {
            return Outcome.done();
        }
        Outcome outcome = attempt.call();
        if (outcome instanceof Outcome.Done) {
            Instant now = time.now();
            keys.add(key, now.plus(keptFor), now);
        }
        return outcome;
    }

    private boolean isOfTopics(Event event) {
        return RecordEnvelope.record(event)
                .filter(record -> topics.contains(record.topic()))
                .isPresent();
    }
}
