package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.pipeline.BatchHandler;
import io.redrive.pipeline.EventBatch;
import io.redrive.pipeline.Pipeline;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Moves events from a store to a topic: a handler that sends each event and is done when all replicas have acknowledged the record.
 *
 * <p>Events of one ordering key keep their order, because a pipeline handles them one after another. A process that is killed
 * between the acknowledgement and the settlement sends the record again, with the same {@code ce_id}. While brokers do not answer or
 * refuse the access, events wait in the store, and no attempt is spent. An event that the topic refuses, for example because it is too
 * large, becomes a dead letter. Thread-safe.
 */
public final class Relay implements BatchHandler {

    private static final Logger LOG = System.getLogger(Relay.class.getName());
    /** How long an event waits when the brokers do not answer. */
    private static final Duration PAUSE = Duration.ofSeconds(2);
    /** The most seconds for the acknowledgements of a batch; below the time limit of handlers. */
    private static final long ANSWER_SECONDS = 15;
    /** One line of the log for as many failed batches. */
    private static final int FAILURES_PER_LINE = 30;

    private final KafkaBus bus;
    private final String pattern;
    private final Function<Event, String> topicOf;
    private final Time time = Time.system();
    private final RecordLimits limits;
    private final AtomicLong failures = new AtomicLong();

    private Relay(KafkaBus bus, String pattern, Function<Event, String> topicOf) {
        limits = new RecordLimits(bus.client(), time);
        this.bus = bus;
        this.pattern = pattern;
        this.topicOf = topicOf;
    }

    /** Names the target of a relay. */
    public static final class Choice {
        private final KafkaBus bus;
        private final String pattern;

        Choice(KafkaBus bus, String pattern) {
            this.bus = bus;
            this.pattern = pattern;
        }

        /**
         * Sends the events to {@code topic}.
         *
         * @throws IllegalStateException if the topic does not exist
         * @throws org.apache.kafka.common.KafkaException if the cluster does not answer
         */
        public Relay to(String topic) {
            ExistingTopics.require(bus.client(), topic);
            return new Relay(bus, pattern, event -> topic);
        }

        /**
         * Sends events that came from a topic back to that topic, for example redriven dead letters for consumers that know nothing of
         * Redrive. An event that never was a record becomes a dead letter with the reason {@code invalid_event}. A header of the event
         * names the topic, so use this relay only for names that untrusted clients cannot publish.
         */
        public Relay back() {
            return new Relay(
                    bus,
                    pattern,
                    event -> KafkaRecord.of(event)
                            .map(KafkaRecord::topic)
                            .orElseThrow(
                                    () -> new IllegalArgumentException(
                                            "event " + event.id()
                                                    + " did not come from a topic; relay its name to a topic with to(…) instead of back()")));
        }
    }

    /** Adds this relay to a pipeline as the handler of its pattern, and returns the builder of the pipeline. */
    public Pipeline.Builder on(Pipeline.Builder pipeline) {
        return pipeline.onBatch(pattern, this);
    }

    /** Sends a batch in its order and waits for the acknowledgements. */
    @Override
    public void handle(EventBatch batch) throws InterruptedException {
        Map<Event, Future<RecordMetadata>> answers = new LinkedHashMap<>();
        boolean unreachable = false;
        for (Event event : batch.events()) {
            if (unreachable) {
                batch.snooze(event, PAUSE);
                continue;
            }
            Optional<ProducerRecord<byte[], byte[]>> record = recordOf(batch, event);
            if (record.isPresent() && limits.isTooLarge(record.get())) {
                batch.dead(
                        event,
                        "topic " + record.get().topic() + " refuses the record: its size exceeds max.message.bytes");
            } else if (record.isPresent()) {
                Future<RecordMetadata> answer = bus.send(record.get());
                answers.put(event, answer);
                // A failure at once means that no broker was found within max.block.ms: the next event would wait as
                // long.
                unreachable = answer.isDone()
                        && failure(answer, 0).filter(Relay::isOfBrokers).isPresent();
            }
        }
        long deadline = time.nanos() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
        for (Map.Entry<Event, Future<RecordMetadata>> each : answers.entrySet()) {
            Optional<Throwable> failure = failure(each.getValue(), deadline - time.nanos());
            failure.ifPresent(error -> report(batch, each.getKey(), error));
        }
    }

    private Optional<ProducerRecord<byte[], byte[]>> recordOf(EventBatch batch, Event event) {
        try {
            return Optional.of(bus.mapping().toRecord(topicOf.apply(event), event));
        } catch (RuntimeException e) {
            batch.invalid(event, e);
            return Optional.empty();
        }
    }

    private static Optional<Throwable> failure(Future<RecordMetadata> answer, long nanos) throws InterruptedException {
        try {
            answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(KafkaBus.causeOf(e));
        } catch (TimeoutException e) {
            return Optional.of(new org.apache.kafka.common.errors.TimeoutException(
                    "no acknowledgement within " + ANSWER_SECONDS + " s"));
        }
    }

    private void report(EventBatch batch, Event event, Throwable error) {
        if (isOfBrokers(error)) {
            if (failures.getAndIncrement() % FAILURES_PER_LINE == 0) {
                LOG.log(
                        Level.WARNING,
                        "relay of " + pattern + " waits, its events stay in the store: " + error.getMessage()
                                + "; check the brokers, the topic and the rights of this client");
            }
            batch.snooze(event, PAUSE);
        } else if (error instanceof RecordTooLargeException || error instanceof InvalidRecordException) {
            batch.dead(event, "the topic refuses the record: " + error.getMessage());
        } else {
            batch.failed(event, error);
        }
    }

    /** Returns true for failures that say nothing about the event: later, or with more rights, the same record passes. */
    private static boolean isOfBrokers(Throwable error) {
        return error instanceof RetriableException
                || error instanceof AuthorizationException
                || error instanceof AuthenticationException;
    }
}
