package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterOutbox;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each new dead letter to a topic too, for tools that read dead letters from Kafka. The letters of the store stay what they
 * are. By default a letter of topic {@code orders} goes to {@code dlq.orders}, with key, value and headers of the record unchanged and
 * headers that tell about the failure; see {@link LetterHeaders}.
 *
 * <p>The store notes a letter in the transaction that writes the letter, and a thread of this object sends noted letters. So a letter
 * is sent at least once; a process that is killed between the acknowledgement and the removal of the note sends the letter again, with
 * the same {@code redrive.letter}. A letter that is redriven or purged before it was sent is not sent. Letters that were imported from
 * a topic are not sent either. Any number of processes may send letters of one store. Thread-safe.
 */
public final class LetterTopic implements AutoCloseable {

    /** The name of the outbox unless another is set. */
    public static final String OUTBOX = "kafka";

    private static final Logger LOG = System.getLogger(LetterTopic.class.getName());
    private static final int AT_ONCE = 100;
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final long ANSWER_SECONDS = 30;
    private static final long STOP_SECONDS = 10;

    private final Builder settings;
    private final LetterOutbox outbox;
    private final ScheduledExecutorService thread;

    private LetterTopic(Builder settings) {
        this.settings = settings;
        outbox = settings.store.letterOutbox();
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread made = new Thread(work, "redrive-letter-topic");
            made.setDaemon(true);
            return made;
        });
    }

    /** Returns a builder for a sender of the letters of {@code store}. */
    public static Builder of(EventStore store, KafkaBus bus) {
        return new Builder(store, bus);
    }

    private void loop() {
        try {
            while (step() == AT_ONCE && !thread.isShutdown()) {
                // More notes are waiting.
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "dead letters wait to be sent to a topic: " + e.getMessage(), e);
        }
    }

    /** Sends the letters of some notes and returns the number of notes. */
    int step() throws InterruptedException {
        List<Long> noted = outbox.take(settings.outbox, AT_ONCE, LEASE, settings.time.now());
        if (noted.isEmpty()) {
            return 0;
        }
        Set<Long> finished = new HashSet<>(noted);
        Map<DeadLetter, Future<RecordMetadata>> answers = new HashMap<>();
        Set<String> unreachable = new HashSet<>();
        for (DeadLetter letter : settings.store.deadLetters().list(LetterFilter.ofIds(noted), 0, noted.size())) {
            Optional<String> topic = topicOf(letter);
            if (topic.isPresent() && unreachable.contains(topic.get())) {
                finished.remove(letter.id());
            } else if (topic.isPresent()) {
                Future<RecordMetadata> answer =
                        settings.bus.send(settings.headers.record(topic.get(), letter, settings.bus));
                answers.put(letter, answer);
                // A failure at once means that the topic was not found within max.block.ms: the next letter would wait
                // as long.
                if (answer.isDone() && !isSent(letter, topic.get(), answer)) {
                    unreachable.add(topic.get());
                }
            }
        }
        for (Map.Entry<DeadLetter, Future<RecordMetadata>> each : answers.entrySet()) {
            DeadLetter letter = each.getKey();
            String topic = topicOf(letter).orElseThrow();
            if (unreachable.contains(topic) || !isSent(letter, topic, each.getValue())) {
                finished.remove(letter.id());
            }
        }
        outbox.sent(settings.outbox, finished);
        return noted.size();
    }

    /** Returns no topic for a letter that came from a topic of letters, and for one whose event never was a record. */
    private Optional<String> topicOf(DeadLetter letter) {
        if (letter.event().headers().containsKey(RecordEnvelope.LETTER_PLACE)) {
            return Optional.empty();
        }
        if (settings.topic != null) {
            return Optional.of(settings.topic);
        }
        return KafkaRecord.of(letter.event()).map(record -> settings.prefix + record.topic());
    }

    /** Returns true when the note of the letter is not needed any more. */
    private boolean isSent(DeadLetter letter, String topic, Future<RecordMetadata> answer) throws InterruptedException {
        Throwable failure;
        try {
            answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            failure = KafkaBus.causeOf(e);
        } catch (TimeoutException e) {
            failure = new org.apache.kafka.common.errors.TimeoutException("no answer within " + ANSWER_SECONDS + " s");
        }
        boolean isFinal = failure instanceof RecordTooLargeException || failure instanceof InvalidTopicException;
        LOG.log(
                isFinal ? Level.ERROR : Level.WARNING,
                "letter " + letter.id() + " was not sent to topic " + topic + " and "
                        + (isFinal ? "never will be; the store keeps the letter: " : "waits; does the topic exist? ")
                        + failure.getMessage());
        return isFinal;
    }

    /** Returns the number of letters that are not sent yet. */
    public long waiting() {
        return outbox.waiting(settings.outbox);
    }

    /** Stops sending. Letters are noted further and sent when a sender starts again; {@link #forget} ends that. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the noting of new letters in {@link #OUTBOX} and drops the notes, when no process shall send letters any more. */
    public static void forget(EventStore store) {
        store.letterOutbox().close(OUTBOX);
    }

    /** Builds a {@link LetterTopic}. */
    public static final class Builder {
        private final EventStore store;
        private final KafkaBus bus;
        private String outbox = OUTBOX;
        private String prefix = "dlq.";
        private @Nullable String topic;
        private LetterHeaders headers = LetterHeaders.standard();
        private Time time = Time.system();

        private Builder(EventStore store, KafkaBus bus) {
            this.store = Objects.requireNonNull(store, "store");
            this.bus = Objects.requireNonNull(bus, "bus");
        }

        /** Sets what stands before the name of the record's topic. Default: {@code dlq.}; events without a record are not sent. */
        public Builder prefix(String value) {
            prefix = value;
            return this;
        }

        /** Sends all letters to this topic, also letters of events that never were records. */
        public Builder topic(String value) {
            topic = value;
            return this;
        }

        /** Sets the headers. Default: {@link LetterHeaders#standard()}. */
        public Builder headers(LetterHeaders value) {
            headers = value;
            return this;
        }

        /** Sets the name of the outbox, for a second sender of the same store. Default: {@link LetterTopic#OUTBOX}. */
        public Builder outbox(String name) {
            outbox = LetterOutbox.requireName(name);
            return this;
        }

        /** Sets the clock, for tests. Default: {@link Time#system()}. */
        public Builder time(Time clock) {
            time = clock;
            return this;
        }

        /**
         * Opens the outbox and starts to send. Letters that arrive from now on are sent.
         *
         * @throws IllegalArgumentException for an empty prefix without a topic: letters would go back to their own topics
         * @throws IllegalStateException if the topic set with {@link #topic} does not exist
         */
        public LetterTopic start() {
            if (topic == null && prefix.isBlank()) {
                throw new IllegalArgumentException("prefix of letter topics must not be empty, got '" + prefix
                        + "': letters would go to the topics of their records; set a prefix such as dlq., or topic(…)");
            }
            if (topic != null) {
                ExistingTopics.require(bus.client(), topic);
            }
            LetterTopic sender = new LetterTopic(this);
            sender.outbox.open(outbox, time.now());
            sender.thread.scheduleWithFixedDelay(sender::loop, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            return sender;
        }
    }
}
