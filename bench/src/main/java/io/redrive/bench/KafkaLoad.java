package io.redrive.bench;

import io.redrive.bench.KafkaBroker.Topic;
import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.EventStore;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.RecordMapping;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import io.redrive.pipeline.Profile;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A flow with a pipeline above a store, under the loads of the suite {@code kafka}. */
final class KafkaLoad {

    private static final String NAME = "bench.record";
    private static final long LIMIT_SECONDS = 240;

    private final KafkaBroker broker;
    private final EventStore store;

    KafkaLoad(KafkaBroker broker, EventStore store) {
        this.broker = broker;
        this.store = store;
    }

    /** What differs between the loads: the flow, and the profile of the pipeline. */
    record Setup(UnaryOperator<KafkaFlow.Builder> flow, Profile profile) {

        static final Setup STANDARD = new Setup(flow -> flow, Profile.STANDARD);
        static final Setup KEYED = new Setup(KafkaFlow.Builder::orderedByKey, Profile.STANDARD);

        /** Each failure is a row, and no brake holds rows back. */
        static final Setup ROWS =
                new Setup(flow -> flow.holdUpTo(Duration.ZERO).brake(1_000_000, 10_000_000), Profile.STANDARD);
    }

    /** Records per second of a new group, from the first call of the handler to the last settlement. */
    double perSecond(Topic topic, KafkaRun run, Setup setup, SpringKafkaPeers.Handler handler) throws Exception {
        return perSecond(topic, broker.newName("flow"), run, setup, handler);
    }

    double perSecond(Topic topic, String group, KafkaRun run, Setup setup, SpringKafkaPeers.Handler handler)
            throws Exception {
        PipelineListener ends = new PipelineListener() {
            @Override
            public void onDead(Dead dead) {
                run.ends(KafkaBroker.index(dead.event().payload()));
            }
        };
        try (KafkaFlow flow = setup.flow().apply(flow(topic.name(), group)).open();
                Pipeline pipeline = pipeline(flow, setup.profile())
                        .on(NAME, event -> handler.handle(KafkaBroker.index(event.payload())))
                        .listener(ends)
                        .start()) {
            return run.perSecond();
        }
    }

    private KafkaFlow.Builder flow(String topic, String group) {
        return KafkaFlow.on(store)
                .bootstrap(broker.bootstrap())
                .group(group)
                .topics(topic)
                .mapping(RecordMapping.named(NAME));
    }

    /** One retry after the delay that the peers have too; poison is not retried. */
    private static Pipeline.Builder pipeline(KafkaFlow flow, Profile profile) {
        RetryPolicy once = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMillis(SpringKafkaPeers.RETRY_MS)))
                .doNotRetryOn(SpringKafkaPeers.Poison.class)
                .build();
        return Pipeline.on(flow)
                .profile(profile)
                .policies(EventPolicies.defaults().with("*", once));
    }

    /** Milliseconds from the send to the begin of the handler, one record at a time. */
    double[] idleLatencies(int warmUp, int records) throws Exception {
        String topic = broker.newTopic("idle");
        SynchronousQueue<Long> begun = new SynchronousQueue<>();
        double[] millis = new double[records];
        try (KafkaFlow flow = flow(topic, broker.newName("flow")).open();
                Pipeline pipeline = pipeline(flow, Profile.STANDARD)
                        .on(NAME, event -> begun.offer(System.nanoTime(), LIMIT_SECONDS, TimeUnit.SECONDS))
                        .start()) {
            for (int i = 0; i < warmUp + records; i++) {
                long sent = System.nanoTime();
                broker.send(topic, i);
                long at = begun.take();
                if (i >= warmUp) {
                    millis[i - warmUp] = (at - sent) / 1e6;
                }
            }
        }
        Arrays.sort(millis);
        return millis;
    }

    /** Makes each record a row that waits for an hour: as many blocked keys as records. */
    void block(Topic topic, String group) throws Exception {
        RetryPolicy tomorrow = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofHours(1)))
                .build();
        try (KafkaFlow flow = flow(topic.name(), group)
                        .orderedByKey()
                        .brake(1_000_000, 10_000_000)
                        .open();
                Pipeline pipeline = Pipeline.on(flow)
                        .policies(EventPolicies.defaults().with("*", tomorrow))
                        .on(NAME, event -> {
                            throw new SpringKafkaPeers.Flaky();
                        })
                        .start()) {
            await(() -> flow.rows() >= topic.records()
                    && flow.partitions().stream().allMatch(each -> each.open() == 0 && each.committed() > 0));
        }
    }

    /** Rows that the flow adds while each record fails for so many seconds. */
    double outage(Topic topic, int seconds) throws Exception {
        RetryPolicy later = RetryPolicy.builder()
                .maxAttempts(5)
                .backoff(Backoff.fixed(Duration.ofMinutes(10)))
                .build();
        try (KafkaFlow flow = flow(topic.name(), broker.newName("flow")).open();
                Pipeline pipeline = Pipeline.on(flow)
                        .policies(EventPolicies.defaults().with("*", later))
                        .on(NAME, event -> {
                            throw new SpringKafkaPeers.Flaky();
                        })
                        .start()) {
            TimeUnit.SECONDS.sleep(seconds);
            return flow.rows();
        }
    }

    /** Seconds from the end of one of two members, which leaves the group, to a record on each partition at the other member. */
    static double takeover(KafkaBroker broker, EventStore leaving, EventStore staying) throws Exception {
        String topic = broker.newTopic("takeover");
        String group = broker.newName("flow");
        CountDownLatch all = new CountDownLatch(KafkaBroker.PARTITIONS);
        AtomicLong handled = new AtomicLong();
        KafkaLoad one = new KafkaLoad(broker, leaving);
        KafkaLoad other = new KafkaLoad(broker, staying);
        try (KafkaFlow flow = other.flow(topic, group).open();
                Pipeline pipeline = pipeline(flow, Profile.STANDARD)
                        .on(NAME, event -> {
                            handled.incrementAndGet();
                            if (KafkaBroker.index(event.payload()) >= KafkaBroker.PARTITIONS) {
                                all.countDown();
                            }
                        })
                        .start()) {
            long began;
            try (KafkaFlow leaver = one.flow(topic, group).open();
                    Pipeline left = pipeline(leaver, Profile.STANDARD)
                            .on(NAME, event -> handled.incrementAndGet())
                            .start()) {
                await(() -> leaver.partitions().size() == KafkaBroker.PARTITIONS / 2
                        && flow.partitions().size() == KafkaBroker.PARTITIONS / 2);
                for (int i = 0; i < KafkaBroker.PARTITIONS; i++) {
                    broker.send(topic, i);
                }
                await(() -> handled.get() == KafkaBroker.PARTITIONS);
                began = System.nanoTime();
            }
            for (int i = 0; i < KafkaBroker.PARTITIONS; i++) {
                broker.send(topic, KafkaBroker.PARTITIONS + i);
            }
            if (!all.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(all.getCount() + " partitions were not taken over");
            }
            return (System.nanoTime() - began) / 1e9;
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the flow did not come so far within " + LIMIT_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
