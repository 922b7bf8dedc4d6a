package io.redrive.kafka;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * The only thread that uses the consumer: takes partitions over, polls, delivers records to the books, pauses partitions whose open
 * records reach a limit, and commits. The thread never waits for a handler, so a slow handler causes no rebalance.
 *
 * <p>A partition that the group assigns is paused until the store has answered the takeover; a store that is down keeps
 * partitions paused and this process in the group. An error of the consumer ends the consumer: its partitions are dropped, and a new
 * consumer joins the group.
 */
final class KafkaIntake implements AutoCloseable {

    private static final Logger LOG = System.getLogger(KafkaIntake.class.getName());
    private static final Duration POLL = Duration.ofMillis(50);
    /** Handlers wait for the commit of announced records. */
    private static final Duration POLL_ANNOUNCING = Duration.ofMillis(5);

    /** Handlers must not run out of records before a drained partition is resumed. */
    private static final Duration POLL_DRAINING = Duration.ofMillis(2);

    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration REBUILD = Duration.ofSeconds(1);
    private static final Duration JOIN = Duration.ofSeconds(2);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

    private final FlowSettings settings;
    private final OwnedPartitions partitions;
    private final RecordReader reader;
    private final Takeovers takeovers;
    private final PartitionCare care;
    private final Commits commits;
    private final ConsumerFailures failures;
    private final LostRecords lost;
    private final Time time;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable Consumer<byte[], byte[]> consumer;

    KafkaIntake(
            FlowSettings settings,
            EventStore store,
            OwnedPartitions partitions,
            FlowExchange exchange,
            Time time,
            Supplier<Consumer<byte[], byte[]>> consumers) {
        this.settings = settings;
        this.consumers = consumers;
        this.partitions = partitions;
        this.time = time;
        failures = new ConsumerFailures(settings, time);
        reader = new RecordReader(settings);
        lost = new LostRecords(settings, time);
        takeovers = new Takeovers(settings, store, partitions, lost, time);
        commits = new Commits(store.adoptions(), partitions, time);
        care = new PartitionCare(settings, store.adoptions(), partitions, exchange, time);
        thread = new Thread(this::run, "redrive-kafka-" + settings.group());
    }

    /** Returns the names of the events that were delivered. */
    TopicNames names() {
        return reader.names();
    }

    /** Runs {@code wake} after records were delivered or became ready again. */
    void onDelivered(Runnable wake) {
        listeners.add(wake);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!stopping) {
                runOneConsumer();
                if (!stopping) {
                    time.sleep(partitions.waiting.isOutside() ? JOIN : REBUILD);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopped.countDown();
        }
    }

    /** Returns when the flow closes or the consumer cannot go on. */
    private void runOneConsumer() {
        try (Consumer<byte[], byte[]> own = joining()) {
            consumer = own;
            subscribe(own);
            while (!stopping) {
                poll(own);
            }
            leave(own, own.assignment());
        } catch (WakeupException e) {
            LOG.log(Level.DEBUG, "consumer woken");
        } catch (InterruptException e) {
            stopping = true;
        } catch (SecondMemberException e) {
            partitions.waiting.outside(true);
            partitions.turnTaken(time.now());
            failures.report(e);
        } catch (RuntimeException | Error e) {
            // The end of the thread would leave a process that looks healthy and handles no record.
            failures.report(e);
        } finally {
            consumer = null;
            dropAll();
        }
    }

    private Consumer<byte[], byte[]> joining() {
        takeovers.requireEmptyGroup();
        partitions.waiting.outside(false);
        return consumers.get();
    }

    /** Forgets all partitions. Kafka delivers the open records again, to this process or to another process. */
    void dropAll() {
        takeovers.forgetAll();
        partitions.all().forEach(owner -> partitions.remove(owner.partition));
    }

    /** Joins the group. */
    void subscribe(Consumer<byte[], byte[]> own) {
        settings.pattern()
                .ifPresentOrElse(
                        pattern -> own.subscribe(pattern, new Rebalance(own)),
                        () -> own.subscribe(settings.topics(), new Rebalance(own)));
    }

    /** Takes one turn: fetches, delivers, takes over, and commits. */
    void poll(Consumer<byte[], byte[]> own) {
        boolean isAnnouncing = partitions.anyBook(book -> book.announcements().areUnderWay());
        Duration wait = care.isDraining() ? POLL_DRAINING : isAnnouncing ? POLL_ANNOUNCING : POLL;
        ConsumerRecords<byte[], byte[]> records = own.poll(wait);
        partitions.turnTaken(commits.heardAt(time.now()));
        boolean news = deliver(own, records) | isAnnouncing;
        retakeFenced(own);
        if (takeovers.run(own)) {
            commits.answered();
            news = true;
        }
        dropUnassigned(own);
        lost.look(own);
        care.limit(own);
        news |= care.tend();
        commits.commitIfDue(own);
        if (news) {
            listeners.forEach(Runnable::run);
        }
    }

    /**
     * Gives up partitions without an assignment. With the protocol of KIP-848 a rebalance may happen inside of any call of the
     * consumer, also during a takeover.
     */
    private void dropUnassigned(Consumer<byte[], byte[]> own) {
        Set<TopicPartition> assigned = own.assignment();
        for (OwnedPartition owner : partitions.all()) {
            if (!assigned.contains(owner.partition)) {
                takeovers.release(List.of(owner.partition));
            }
        }
    }

    /** Takes a fenced partition over again when the group still assigns the partition to this process. */
    private void retakeFenced(Consumer<byte[], byte[]> own) {
        for (TopicPartition partition : own.assignment()) {
            if (partitions.get(partition).isEmpty() && takeovers.add(partition)) {
                own.pause(List.of(partition));
            }
        }
    }

    private boolean deliver(Consumer<byte[], byte[]> own, ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            partitions.get(partition).ifPresent(owner -> {
                // The user's mapping may be slow, so the thread holds no lock.
                List<ConsumerRecord<byte[], byte[]>> fetched = records.records(partition);
                List<RecordReader.Read> read = new ArrayList<>(fetched.size());
                for (ConsumerRecord<byte[], byte[]> record : fetched) {
                    read.add(reader.read(record, owner.keyPrefix));
                }
                noteJump(owner, fetched.get(0).offset());
                partitions.run(
                        () -> read.forEach(each -> owner.book.deliver(each.offset(), each.event(), each.unreadable())));
            });
        }
        for (OwnedPartition owner : partitions.all()) {
            if (own.assignment().contains(owner.partition)) {
                long position = own.position(owner.partition, ANSWER);
                noteJump(owner, position);
                if (!partitions.locked(() -> owner.book.reached(position))) {
                    startAgain(own, owner.partition, firstOf(records, owner.partition, position));
                } else if (!owner.isPaused()) {
                    owner.end(position + own.currentLag(owner.partition).orElse(0));
                }
            }
        }
        return !records.isEmpty();
    }

    private void noteJump(OwnedPartition owner, long offset) {
        long expected = partitions.locked(owner.book::next);
        if (offset > expected) {
            lost.jumped(owner.partition, expected, offset);
        }
    }

    private static long firstOf(ConsumerRecords<byte[], byte[]> records, TopicPartition partition, long position) {
        return records.records(partition).stream()
                .mapToLong(ConsumerRecord::offset)
                .min()
                .orElse(position);
    }

    /**
     * Reads a partition from an offset below the delivered offsets: the topic was deleted and created again, or the log was cut. The
     * log has new records at the old offsets, so the progress of the old records does not count.
     */
    private void startAgain(Consumer<byte[], byte[]> own, TopicPartition partition, long first) {
        LOG.log(
                Level.WARNING,
                "partition " + partition + " starts again at offset " + first
                        + ", below offsets that were read before: its topic was created again, or its log was cut");
        partitions.remove(partition);
        own.commitSync(Map.of(partition, new OffsetAndMetadata(first)), ANSWER);
    }

    /** Lets handlers end, commits what is finished and gives partitions up in good order. */
    private void leave(Consumer<byte[], byte[]> own, Collection<TopicPartition> leaving) {
        partitions.awaitReturn(leaving);
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : leaving) {
            partitions.get(partition).ifPresent(owner -> {
                Progress progress = partitions.locked(owner.book::progress);
                offsets.put(partition, new OffsetAndMetadata(progress.watermark(), progress.metadata()));
            });
        }
        try {
            if (!offsets.isEmpty()) {
                own.commitSync(offsets, ANSWER);
            }
        } catch (WakeupException e) {
            LOG.log(Level.DEBUG, "last commit was interrupted by the closing of the flow");
        } catch (KafkaException e) {
            LOG.log(
                    Level.WARNING,
                    "last commit of " + offsets.keySet() + " failed, the next owner handles its records again: "
                            + e.getMessage());
        }
        takeovers.release(leaving);
    }

    /** Follows the group. Runs inside of poll, on the thread of the intake. */
    private final class Rebalance implements ConsumerRebalanceListener {

        private final Consumer<byte[], byte[]> own;

        Rebalance(Consumer<byte[], byte[]> own) {
            this.own = own;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            failures.recovered();
            own.pause(assigned);
            takeovers.add(assigned);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            leave(own, revoked);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            takeovers.forget(lost);
            lost.forEach(partitions::remove);
        }
    }

    @Override
    public void close() {
        stopping = true;
        try {
            if (thread.isAlive() && !stopped.await(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                Consumer<byte[], byte[]> hanging = consumer;
                if (hanging != null) {
                    hanging.wakeup();
                }
                stopped.await(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
