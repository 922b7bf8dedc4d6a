package io.redrive.bench;

import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One round: a topic, a group, a schema, a producer that sends at a steady rate, and workers that are hit by faults. The end waits until
 * nothing is left in the topic and in the store, and compares what was sent with what happened.
 */
final class KafkaCrashRound implements AutoCloseable {

    static final int PARTITIONS = 4;
    /** A prime, so that the failing ones of 100 records in a row have ever other keys, and no key is always blocked. */
    private static final int KEYS = 61;

    private static final int BURST = 20;
    private static final long BURST_EVERY_MS = 20;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    final CrashBroker broker;
    final CrashDatabase database;
    final KafkaCrashWorker.Settings settings;
    private final Case chosen;
    private final Random random;
    private final Path ledger;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread sender = new Thread(this::send, "sender");
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, TopicPartition> partitionOf = Collections.synchronizedMap(new HashMap<>());
    private final Map<String, Long> offsetOf = Collections.synchronizedMap(new HashMap<>());
    private final List<Exception> refused = Collections.synchronizedList(new ArrayList<>());
    private final List<KafkaCrashTally.Fault> faults = new ArrayList<>();
    private final List<Process> workers = new ArrayList<>();
    private final Set<String> replayed = new HashSet<>();
    private volatile boolean sending = true;
    private int partitions = PARTITIONS;
    private int next;

    KafkaCrashRound(CrashBroker broker, CrashDatabase database, Path folder, Case chosen, long seed) throws Exception {
        this.broker = broker;
        this.database = database;
        random = new Random(seed);
        String name = chosen.name() + "-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
        ledger = Files.createDirectories(folder).resolve(name + ".ledger");
        settings = new KafkaCrashWorker.Settings(
                broker.bootstrap(),
                name,
                "group-" + name,
                database.url(),
                name.replace('-', '_'),
                ledger.toString(),
                chosen.isOrdered(),
                chosen.protocol(),
                chosen.instance());
        this.chosen = chosen;
        broker.createTopic(name, PARTITIONS, chosen.topic());
        producer = newProducer(Map.of());
    }

    /**
     * The shape of a round.
     *
     * @param protocol the protocol of the group
     * @param instance the id of a static member, or empty
     * @param topic settings of the topic
     */
    record Case(String name, boolean isOrdered, String protocol, String instance, Map<String, String> topic) {

        boolean isCompacted() {
            return topic.containsKey("cleanup.policy");
        }
    }

    KafkaProducer<byte[], byte[]> newProducer(Map<String, Object> more) {
        Map<String, Object> client = new HashMap<>(
                Map.of("bootstrap.servers", broker.bootstrap(), "linger.ms", 2, "delivery.timeout.ms", 180_000));
        client.putAll(more);
        return new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Starts the producer and so many workers. */
    void begin(int count) throws Exception {
        // The first store creates the tables, before workers compete for it.
        open().close();
        sender.start();
        for (int i = 0; i < count; i++) {
            startWorker();
        }
        awaitHandled(200);
    }

    private void send() {
        try {
            while (sending) {
                for (int i = 0; i < BURST; i++) {
                    int key = next % KEYS;
                    String text = "k" + key + "/" + next++;
                    send(
                            producer,
                            new ProducerRecord<>(settings.topic(), key % PARTITIONS, bytes("k" + key), bytes(text)),
                            text);
                }
                TimeUnit.MILLISECONDS.sleep(BURST_EVERY_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a record; it counts when the broker acknowledges it. */
    void send(KafkaProducer<byte[], byte[]> client, ProducerRecord<byte[], byte[]> record, String text) {
        client.send(record, (place, error) -> {
            if (error != null) {
                refused.add(error);
            } else {
                acknowledged.add(text);
                partitionOf.put(text, new TopicPartition(place.topic(), place.partition()));
                offsetOf.put(text, place.offset());
            }
        });
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Process startWorker() throws Exception {
        Process worker = settings.start();
        workers.add(worker);
        return worker;
    }

    Process worker(int index) {
        return workers.get(index);
    }

    /** Kills a worker with SIGKILL, after a random time. */
    void kill(Process worker) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(700));
        worker.destroyForcibly().waitFor();
        faults.add(KafkaCrashTally.Fault.kill(worker.pid(), System.currentTimeMillis()));
    }

    /** Stops a worker with SIGSTOP for longer than its session, and lets the worker go on. */
    void stall(Process worker) throws Exception {
        long begin = System.currentTimeMillis();
        signal("-STOP", worker);
        TimeUnit.MILLISECONDS.sleep(CrashBroker.SESSION_MS + 1_500L + random.nextInt(1_000));
        signal("-CONT", worker);
        faults.add(KafkaCrashTally.Fault.stall(worker.pid(), begin, System.currentTimeMillis()));
    }

    private static void signal(String signal, Process worker) throws Exception {
        new ProcessBuilder("kill", signal, String.valueOf(worker.pid())).start().waitFor();
    }

    /** Notes a fault that hits all workers from {@code begin} until now. */
    void faultSince(long begin) {
        faults.add(KafkaCrashTally.Fault.ofAll(begin, System.currentTimeMillis()));
    }

    /** Deletes the finished topic, and creates it again. */
    void createTopicAgain() {
        broker.deleteTopic(settings.topic());
        broker.createTopic(settings.topic(), PARTITIONS, chosen.topic());
    }

    void awaitNoLag() throws Exception {
        await(
                "the lag of " + settings.group() + " is zero",
                () -> broker.lag(settings.group(), settings.topic(), partitions) == 0);
    }

    void addPartitions(int total) {
        broker.addPartitions(settings.topic(), total);
        partitions = total;
    }

    /** Ends a worker in good order. */
    static void close(Process worker) throws Exception {
        worker.getOutputStream().close();
        if (!worker.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a worker did not end within 60 s after its input ended");
        }
    }

    /** Sets the offset of each finished partition back by so many records, as an operator does while no member runs. */
    void setBack(long records) {
        for (int number = 0; number < partitions; number++) {
            TopicPartition partition = new TopicPartition(settings.topic(), number);
            long until = broker.end(partition);
            long from = Math.max(0, until - records);
            broker.reset(settings.group(), partition, from);
            synchronized (offsetOf) {
                offsetOf.forEach((text, offset) -> {
                    if (partition.equals(partitionOf.get(text)) && offset >= from && offset < until) {
                        replayed.add(text);
                    }
                });
            }
        }
    }

    void stopSending() throws InterruptedException {
        sending = false;
        sender.join();
        producer.flush();
    }

    List<KafkaCrashLedger.Entry> entries() throws Exception {
        return KafkaCrashLedger.read(ledger);
    }

    /** Waits until workers have begun or handled so many more records. */
    void awaitHandled(int more) throws Exception {
        long before = actions();
        await("workers handle records", () -> actions() > before + more);
    }

    /** Waits until a worker has begun or handled so many records since its start. */
    void awaitHandledBy(Process worker, int count) throws Exception {
        await(
                "process " + worker.pid() + " handles records",
                () -> entries().stream()
                                .filter(entry -> entry.isOfRecord() && entry.process() == worker.pid())
                                .count()
                        >= count);
    }

    private long actions() throws Exception {
        return entries().stream().filter(KafkaCrashLedger.Entry::isOfRecord).count();
    }

    void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited " + LIMIT + " until " + what + "; log in " + ledger + ".log");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    EventStore open() {
        return PostgresStore.open(
                database.url(),
                PostgresOptions.DEFAULT.withSchema(settings.schema()).withConnections(2));
    }

    /** Stops the producer, waits until everything has ended, ends the workers, and judges. */
    KafkaCrashTally.Verdict end() throws Exception {
        stopSending();
        try (EventStore store = open()) {
            awaitNoLag();
            await("the store is empty", () -> isEmpty(store.stats(Instant.now())));
            for (Process worker : workers) {
                if (worker.isAlive()) {
                    close(worker);
                }
            }
            if (!refused.isEmpty()) {
                throw new IllegalStateException("the broker refused records", refused.get(0));
            }
            return new KafkaCrashTally(sent(), entries(), replayed).verdict(store, faults, settings.isOrdered());
        }
    }

    /**
     * Returns the acknowledged records. A compacted topic forgets records that have a successor, perhaps before a worker read them, and
     * perhaps after a worker was killed while it had them: such a record counts only if it ended, or is still in the topic.
     */
    private List<String> sent() throws Exception {
        List<String> all = List.copyOf(acknowledged);
        if (!chosen.isCompacted()) {
            return all;
        }
        Set<String> known = new HashSet<>(broker.texts(settings.topic(), partitions));
        entries().stream()
                .filter(entry -> entry.what().equals("handled") || entry.what().equals("dead"))
                .forEach(entry -> known.add(entry.record()));
        return all.stream().filter(known::contains).toList();
    }

    private static boolean isEmpty(StoreStats stats) {
        return stats.ready() + stats.delayed() + stats.claimed() == 0;
    }

    @Override
    public void close() throws InterruptedException {
        sending = false;
        for (Process worker : workers) {
            worker.destroyForcibly().waitFor();
        }
        producer.close(Duration.ofSeconds(1));
    }
}
