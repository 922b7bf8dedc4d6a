package io.redrive.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Checks promises instead of a speed: what a group above PostgreSQL loses, repeats or reorders when its parts fail. */
final class KafkaCrashSuite implements Suite {

    /** What happens in a round while records flow. */
    private interface Story {
        void run(KafkaCrashRound round) throws Exception;
    }

    /** A case: the shape of its rounds, the workers, and the story. */
    private record Plan(KafkaCrashRound.Case shape, int workers, Story story) {}

    private static final String CLASSIC = "classic";
    private static final String CONSUMER = "consumer";
    private static final int KILLS = 3;
    private static final Map<String, String> COMPACTED = Map.of(
            "cleanup.policy", "compact",
            "segment.ms", "500",
            "min.cleanable.dirty.ratio", "0.01");
    private static final Map<String, Plan> PLANS = plans();

    private static final Options.Option ROUNDS = Options.Option.number("--rounds", "rounds of each case (default 3)");
    private static final Options.Option SEED = Options.Option.number("--seed", "repeats the moments of an earlier run");
    private static final Options.Option CASES = Options.Option.cases(List.copyOf(PLANS.keySet()));

    private static Map<String, Plan> plans() {
        Map<String, Plan> plans = new LinkedHashMap<>();
        add(plans, "kill", false, CLASSIC, 1, KafkaCrashSuite::kills);
        add(plans, "kill-keyed", true, CLASSIC, 1, KafkaCrashSuite::kills);
        add(plans, "kill-consumer", false, CONSUMER, 1, KafkaCrashSuite::kills);
        add(plans, "kill-keyed-consumer", true, CONSUMER, 1, KafkaCrashSuite::kills);
        add(plans, "kill-one-of-two", true, CLASSIC, 2, KafkaCrashSuite::kills);
        add(plans, "kill-one-of-two-consumer", true, CONSUMER, 2, KafkaCrashSuite::kills);
        plans.put(
                "kill-static-consumer",
                new Plan(
                        new KafkaCrashRound.Case("kill-static-consumer", true, CONSUMER, "node-1", Map.of()),
                        1,
                        KafkaCrashSuite::kills));
        add(plans, "stall", true, CLASSIC, 2, KafkaCrashSuite::stall);
        add(plans, "stall-consumer", true, CONSUMER, 2, KafkaCrashSuite::stall);
        add(plans, "broker-killed", true, CLASSIC, 2, KafkaCrashSuite::brokerKilled);
        add(plans, "store-restarted", true, CLASSIC, 2, round -> storeDown(round, Duration.ofMillis(200)));
        add(plans, "store-down", true, CONSUMER, 2, round -> storeDown(round, Duration.ofMinutes(1)));
        add(plans, "offset-reset", false, CLASSIC, 1, KafkaCrashSuite::offsetReset);
        add(plans, "partitions-added", false, CLASSIC, 2, KafkaCrashSuite::partitionsAdded);
        plans.put(
                "compacted",
                new Plan(
                        new KafkaCrashRound.Case("compacted", true, CLASSIC, "", COMPACTED),
                        1,
                        KafkaCrashSuite::kills));
        add(plans, "topic-deleted", false, CLASSIC, 1, KafkaCrashSuite::topicDeleted);
        add(plans, "odd-records", false, CLASSIC, 1, KafkaCrashSuite::oddRecords);
        return plans;
    }

    private static void add(
            Map<String, Plan> plans, String name, boolean isOrdered, String protocol, int workers, Story story) {
        plans.put(name, new Plan(new KafkaCrashRound.Case(name, isOrdered, protocol, "", Map.of()), workers, story));
    }

    @Override
    public String name() {
        return "kafka-crash";
    }

    @Override
    public String about() {
        return "a consumer group above PostgreSQL whose processes, broker and database fail under load";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(ROUNDS, SEED, CASES);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        int seed = options.number(SEED, (int) (System.nanoTime() % 1_000_000));
        int rounds = options.number(ROUNDS, options.quick() ? 1 : 3);
        Path folder = Files.createTempDirectory("redrive-kafka-crash");
        progress.accept("seed " + seed + "; files in " + folder);
        List<BenchResult> results = new ArrayList<>();
        try (CrashBroker broker = new CrashBroker(folder.resolve("broker"));
                CrashDatabase database = new CrashDatabase(folder.resolve("database"))) {
            for (Map.Entry<String, Plan> each : PLANS.entrySet()) {
                if (options.wants(each.getKey())) {
                    List<KafkaCrashTally.Verdict> verdicts = new ArrayList<>();
                    for (int round = 0; round < rounds; round++) {
                        verdicts.add(round(broker, database, folder, each.getValue(), seed + round));
                        progress.accept(
                                each.getKey() + " " + (round + 1) + " of " + rounds + ": " + verdicts.get(round));
                    }
                    results.addAll(judge(each.getKey(), verdicts));
                }
            }
        }
        return results;
    }

    private static KafkaCrashTally.Verdict round(
            CrashBroker broker, CrashDatabase database, Path folder, Plan plan, long seed) throws Exception {
        try (KafkaCrashRound round = new KafkaCrashRound(broker, database, folder, plan.shape(), seed)) {
            round.begin(plan.workers());
            plan.story().run(round);
            return round.end();
        }
    }

    private List<BenchResult> judge(String caseName, List<KafkaCrashTally.Verdict> verdicts) {
        long wrong = verdicts.stream()
                .mapToLong(each ->
                        each.lost() + each.unsent() + each.wrongLetters() + each.settledTwice() + each.outOfOrder())
                .sum();
        long duplicates =
                verdicts.stream().mapToLong(KafkaCrashTally.Verdict::duplicates).sum();
        long allowed =
                verdicts.stream().mapToLong(KafkaCrashTally.Verdict::allowed).sum();
        return List.of(
                BenchResult.judged(
                        name(),
                        caseName + ": lost, never sent, wrong letters, settled twice, out of order",
                        new Measured("count", wrong, Map.of(), null),
                        Target.atMost(0)),
                BenchResult.judged(
                        name(),
                        caseName + ": handled again",
                        new Measured("count", duplicates, Map.of(), (double) allowed),
                        Target.atMostLimit("in flight, or finished since the last commit")));
    }

    /** Kills the first worker and starts another one, several times, each time after the worker has got partitions and handles records. */
    private static void kills(KafkaCrashRound round) throws Exception {
        Process victim = round.worker(0);
        for (int kill = 0; kill < KILLS; kill++) {
            round.awaitHandledBy(victim, 100);
            round.kill(victim);
            victim = round.startWorker();
        }
        round.awaitHandledBy(victim, 100);
    }

    private static void stall(KafkaCrashRound round) throws Exception {
        round.stall(round.worker(0));
        round.awaitHandled(500);
        round.stall(round.worker(1));
        round.awaitHandled(500);
    }

    private static void brokerKilled(KafkaCrashRound round) throws Exception {
        long begin = System.currentTimeMillis();
        round.broker.killAndRestart();
        round.awaitHandled(1_000);
        round.faultSince(begin);
    }

    private static void storeDown(KafkaCrashRound round, Duration down) throws Exception {
        long begin = System.currentTimeMillis();
        round.database.restart(down);
        round.awaitHandled(1_000);
        round.faultSince(begin);
        // The fault and a kill together: the successor must find what the store has.
        round.kill(round.worker(0));
        round.startWorker();
        round.awaitHandled(500);
    }

    private static void offsetReset(KafkaCrashRound round) throws Exception {
        round.stopSending();
        round.awaitNoLag();
        KafkaCrashRound.close(round.worker(0));
        round.setBack(100);
        Process next = round.startWorker();
        round.awaitHandled(50);
        round.kill(next);
        round.startWorker();
    }

    /** The offsets of the new topic begin at 0 again. */
    private static void topicDeleted(KafkaCrashRound round) throws Exception {
        round.stopSending();
        round.awaitNoLag();
        round.createTopicAgain();
        try (KafkaProducer<byte[], byte[]> producer = round.newProducer(Map.of())) {
            for (int i = 0; i < 400; i++) {
                String text = "again/" + (5_000_000 + i);
                byte[] value = KafkaCrashRound.bytes(text);
                round.send(producer, new ProducerRecord<>(round.settings.topic(), i % 4, null, value), text);
            }
            producer.flush();
        }
        round.awaitHandled(500);
    }

    private static void partitionsAdded(KafkaCrashRound round) throws Exception {
        int total = KafkaCrashRound.PARTITIONS + 2;
        round.addPartitions(total);
        try (KafkaProducer<byte[], byte[]> producer = round.newProducer(Map.of("metadata.max.age.ms", 300))) {
            for (int i = 0; i < 400; i++) {
                String text = "added/" + (1_000_000 + i);
                round.send(
                        producer,
                        new ProducerRecord<>(
                                round.settings.topic(),
                                KafkaCrashRound.PARTITIONS + i % 2,
                                null,
                                KafkaCrashRound.bytes(text)),
                        text);
            }
            producer.flush();
        }
        round.kill(round.worker(0));
        round.startWorker();
        round.awaitHandled(500);
    }

    /** Tombstones, records above the limit of the store, and transactions of which half are aborted. */
    private static void oddRecords(KafkaCrashRound round) throws Exception {
        String topic = round.settings.topic();
        try (KafkaProducer<byte[], byte[]> producer =
                        round.newProducer(Map.of("compression.type", "gzip", "max.request.size", 4 * 1024 * 1024));
                KafkaProducer<byte[], byte[]> transactions = round.newProducer(Map.of("transactional.id", topic))) {
            for (int i = 0; i < 100; i++) {
                String text = "tomb/" + (2_000_000 + i);
                round.send(producer, new ProducerRecord<>(topic, i % 4, KafkaCrashRound.bytes(text), null), text);
            }
            // Numbers that end with 07 are meant to die: the letter of a large record has no payload.
            for (int i = 0; i < 3; i++) {
                String text = "large/" + (3_000_000 + i * 100 + (i == 0 ? 7 : 8));
                byte[] value = KafkaCrashRound.bytes(text + "\n" + " ".repeat(1_500_000));
                round.send(producer, new ProducerRecord<>(topic, i, KafkaCrashRound.bytes(text), value), text);
            }
            producer.flush();
            transactions.initTransactions();
            for (int i = 0; i < 10; i++) {
                transactions.beginTransaction();
                for (int k = 0; k < 10; k++) {
                    String text = "transaction/" + (4_000_000 + i * 10 + k);
                    ProducerRecord<byte[], byte[]> record =
                            new ProducerRecord<>(topic, k % 4, null, KafkaCrashRound.bytes(text));
                    if (i % 2 == 0) {
                        round.send(transactions, record, text);
                    } else {
                        transactions.send(record);
                    }
                }
                transactions.flush();
                if (i % 2 == 0) {
                    transactions.commitTransaction();
                } else {
                    transactions.abortTransaction();
                }
                if (i == 5) {
                    round.kill(round.worker(0));
                    round.startWorker();
                }
            }
        }
        TimeUnit.MILLISECONDS.sleep(200);
        round.awaitHandled(500);
    }
}
