package io.redrive.bench;

import io.redrive.bench.KafkaBroker.Topic;
import io.redrive.bench.KafkaLoad.Setup;
import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Profile;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Topics as the source of a pipeline, beside a bare consumer loop, a share group and Spring Kafka. */
final class KafkaSuite implements Suite {

    private static final String RATE = KafkaRun.RATE;
    private static final String RETRY_TOPICS = "@RetryableTopic";
    private static final String ERROR_HANDLER = "DefaultErrorHandler";
    private static final String SHARE = "share group";
    private static final int CORES = 2;
    private static final int POISON = 100;
    private static final int FAILING = 5;
    private static final int SLOW_HANDLERS = 64;
    /** Rows per second of the brake, and the seconds of rows that it saves up. */
    private static final int BRAKE = 500;

    private static final int BRAKE_SAVES = 5;

    /** The longest warm-up of a contestant. */
    private static final Duration WARM_UP = Duration.ofSeconds(60);

    private final Cases cases = new Cases(name())
            .with("clean", this::clean)
            .with("clean-keyed", this::cleanKeyed)
            .with("poison-1-percent", name -> poison(name, false))
            .with("poison-1-percent-postgres", name -> poison(name, true))
            .with("fail-20-percent", this::failHeld)
            .with("fail-20-percent-rows", name -> failRows(name, false))
            .with("fail-20-percent-rows-postgres", name -> failRows(name, true))
            .with("handler-1ms", this::handlerOfOneMilli)
            .with("idle-latency", this::idleLatency)
            .with("takeover", this::takeover)
            .with("blocked-keys-100k", this::blockedKeys)
            .with("outage", this::outage);

    /** A round of half a second is repeated so many times more often: the rates of such rounds differ by half of the median. */
    private static final int SHORT_ROUNDS = 3;

    private Path folder;
    private KafkaBroker broker;
    private KafkaLoops loops;
    private SpringKafkaPeers spring;
    private EmbeddedPostgres postgres;
    private boolean quick;
    private int rounds;
    private int stores;

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String about() {
        return "topics as the source of a pipeline, beside a bare consumer loop, a share group and Spring Kafka";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(Options.Option.cases(cases.names()));
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        QuietLog.now();
        quick = options.quick();
        rounds = quick ? 3 : 5;
        folder = Files.createTempDirectory("redrive-bench-kafka");
        try (KafkaBroker started = KafkaBroker.start(folder)) {
            broker = started;
            loops = new KafkaLoops(broker);
            spring = new SpringKafkaPeers(broker, Duration.ofSeconds(quick ? 5 : 20));
            return cases.run(options, progress);
        } finally {
            if (postgres != null) {
                postgres.close();
                postgres = null;
            }
            delete(folder);
        }
    }

    private int many() {
        return quick ? 500_000 : 1_000_000;
    }

    private void clean(String name) throws Exception {
        Topic topic = broker.filledTopic("clean", many());
        cases.judged(
                name,
                rates(topic, Setup.STANDARD, KafkaRun::clean, false).single(rounds),
                Target.atLeastLimitTimes(0.35).and(timesPeer(SHARE, 1.5)));
    }

    private void cleanKeyed(String name) throws Exception {
        Topic topic = broker.filledTopic("keyed", many());
        cases.judged(
                name, rates(topic, Setup.KEYED, KafkaRun::clean, false).single(rounds), Target.atLeastLimitTimes(0.15));
    }

    private void poison(String name, boolean onPostgres) throws Exception {
        Topic topic = broker.filledTopic("poison", many());
        cases.judged(
                name,
                rates(topic, Setup.STANDARD, records -> KafkaRun.poisoned(records, POISON), onPostgres)
                        .single(rounds),
                Target.atLeastLimitTimes(0.15));
    }

    /** Redrive, the limit and the peers read the same topic. */
    private Contest rates(Topic topic, Setup setup, IntFunction<KafkaRun> runs, boolean onPostgres) {
        return Contest.of(RATE, () -> ours(topic, setup, runs.apply(topic.records()), onPostgres))
                .limit(RATE, () -> loops.bare(topic, runs.apply(topic.records())))
                .peer(ERROR_HANDLER, RATE, () -> {
                    KafkaRun run = runs.apply(topic.records());
                    return spring.errorHandler(topic, CORES, run, poisonHandler(run));
                })
                .peer(RETRY_TOPICS, RATE, () -> {
                    KafkaRun run = runs.apply(topic.records());
                    return spring.retryTopics(topic, CORES, run, poisonHandler(run));
                })
                .peer(SHARE, RATE, () -> loops.share(topic, runs.apply(topic.records())))
                .warmUp(WARM_UP);
    }

    private double ours(Topic topic, Setup setup, KafkaRun run, boolean onPostgres) throws Exception {
        try (EventStore store = onPostgres ? postgresStore() : sqliteStore()) {
            // Redrive's records end when their letters are stored, which the listener tells.
            return new KafkaLoad(broker, store).perSecond(topic, run, setup, index -> {
                if (run.begins(index)) {
                    throw new SpringKafkaPeers.Poison();
                }
                run.ends(index);
            });
        }
    }

    private static SpringKafkaPeers.Handler poisonHandler(KafkaRun run) {
        return index -> {
            boolean fails = run.begins(index);
            run.ends(index);
            if (fails) {
                throw new SpringKafkaPeers.Poison();
            }
        };
    }

    private static SpringKafkaPeers.Handler flakyHandler(KafkaRun run) {
        return index -> {
            if (run.begins(index)) {
                throw new SpringKafkaPeers.Flaky();
            }
            run.ends(index);
        };
    }

    private void failHeld(String name) throws Exception {
        failing(name, Setup.STANDARD, 50, false);
    }

    private void failRows(String name, boolean onPostgres) throws Exception {
        failing(name, Setup.ROWS, 20, onPostgres);
    }

    private void failing(String name, Setup setup, int times, boolean onPostgres) throws Exception {
        Topic topic = broker.filledTopic("failing", many() / 2);
        Measured measured = Contest.of(RATE, () -> {
                    KafkaRun run = KafkaRun.failingOnce(topic.records(), FAILING);
                    try (EventStore store = onPostgres ? postgresStore() : sqliteStore()) {
                        return new KafkaLoad(broker, store).perSecond(topic, run, setup, flakyHandler(run));
                    }
                })
                .peer(RETRY_TOPICS, RATE, () -> {
                    KafkaRun run = KafkaRun.failingOnce(topic.records(), FAILING);
                    return spring.retryTopics(topic, CORES, run, flakyHandler(run));
                })
                .warmUp(WARM_UP)
                .single(rounds);
        cases.judged(name, measured, timesPeer(RETRY_TOPICS, times));
    }

    /** Spring has a thread for each partition, which is the most a consumer group can use. */
    private void handlerOfOneMilli(String name) throws Exception {
        Setup setup = new Setup(flow -> flow, Profile.STANDARD.withProcessors(SLOW_HANDLERS));
        Topic topic = broker.filledTopic("slow", many() / 8);
        Callable<Double> ours = () -> {
            KafkaRun run = KafkaRun.clean(topic.records());
            try (EventStore store = sqliteStore()) {
                return new KafkaLoad(broker, store).perSecond(topic, run, setup, slowHandler(run));
            }
        };
        Measured measured = Contest.of(RATE, ours)
                .peer(ERROR_HANDLER, RATE, () -> {
                    KafkaRun run = KafkaRun.clean(topic.records());
                    return spring.errorHandler(topic, KafkaBroker.PARTITIONS, run, slowHandler(run));
                })
                .warmUp(WARM_UP)
                .single(rounds);
        cases.judged(name, measured, timesPeer(ERROR_HANDLER, 4));
    }

    private static SpringKafkaPeers.Handler slowHandler(KafkaRun run) {
        return index -> {
            run.begins(index);
            TimeUnit.MILLISECONDS.sleep(1);
            run.ends(index);
        };
    }

    private void idleLatency(String name) throws Exception {
        try (EventStore store = sqliteStore()) {
            double[] millis = new KafkaLoad(broker, store).idleLatencies(300, quick ? 500 : 2_000);
            cases.plain(name, new Measured("p50 ms", EventLoad.percentile(millis, 0.5), Map.of(), null));
            cases.judged(
                    name,
                    new Measured(EventLoad.P99, EventLoad.percentile(millis, 0.99), Map.of(), null),
                    Target.below(20));
        }
    }

    private void takeover(String name) throws Exception {
        cases.plain(
                name,
                Contest.of("s", () -> {
                            try (EventStore leaving = postgresStore();
                                    EventStore staying = postgresStore()) {
                                return KafkaLoad.takeover(broker, leaving, staying);
                            }
                        })
                        .single(rounds));
    }

    private void blockedKeys(String name) throws Exception {
        int keys = quick ? 20_000 : 100_000;
        int records = many() / 2;
        try (EventStore full = sqliteStore();
                EventStore empty = sqliteStore()) {
            String topic = broker.newTopic("blocked");
            String group = broker.newName("flow");
            broker.fill(topic, keys, index -> "blocked-" + index);
            new KafkaLoad(broker, full).block(new Topic(topic, keys), group);
            String free = broker.newTopic("free");
            String other = broker.newName("flow");
            Callable<Double> blocked = () -> more(full, topic, group, records);
            Callable<Double> clean = () -> more(empty, free, other, records);
            Measured rates =
                    Contest.of(RATE, blocked).limit(RATE, clean).warmUp(WARM_UP).single(SHORT_ROUNDS * rounds);
            cases.plain(name, rates);
            double ratio = rates.ours() / rates.limit();
            cases.judged(name, new Measured("ratio", ratio, Map.of(), null, rates.spread()), Target.atLeast(0.8));
        }
    }

    /** The rate of further records with other keys. */
    private double more(EventStore store, String topic, String group, int records) throws Exception {
        broker.fill(topic, records, index -> "key-" + index % 10_000);
        KafkaRun run = KafkaRun.clean(records);
        return new KafkaLoad(broker, store)
                .perSecond(new Topic(topic, records), group, run, Setup.KEYED, flakyHandler(run));
    }

    private void outage(String name) throws Exception {
        int seconds = quick ? 10 : 60;
        Topic topic = broker.filledTopic("outage", many());
        try (EventStore store = sqliteStore()) {
            double rows = new KafkaLoad(broker, store).outage(topic, seconds);
            double most = (double) BRAKE * (seconds + BRAKE_SAVES);
            cases.judged(name, new Measured("rows", rows, Map.of(), most), Target.atMostLimit("the cap of the brake"));
        }
    }

    private static Target timesPeer(String peer, double factor) {
        return new Target(
                "at least " + Json.number(factor) + " x " + peer,
                measured -> measured.ours() >= factor * measured.peers().get(peer));
    }

    private EventStore sqliteStore() {
        return SqliteStore.open(folder.resolve("store-" + ++stores + ".db"));
    }

    private EventStore postgresStore() throws IOException {
        if (postgres == null) {
            // Switches durability on, which the embedded server leaves off.
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .start();
        }
        return PostgresStore.open(
                postgres.getJdbcUrl("postgres", "postgres"), PostgresOptions.DEFAULT.withSchema("redrive_kafka"));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
