package io.redrive.kafka;

import static org.awaitility.Awaitility.await;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Adoptions;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.flow.TopicReport;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.NodeFlow;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import io.redrive.testkit.ForwardingStore;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A topic, a store, and flows with pipelines above both. */
final class FlowRig implements AutoCloseable {

    private static int topics;

    final TestBroker broker = TestBroker.get();
    final String topic;
    final String group;
    final int partitions;
    final EventStore store;
    private final List<AutoCloseable> opened = new ArrayList<>();

    FlowRig(int partitions) {
        this(partitions, new InMemoryEventStore());
    }

    FlowRig(int partitions, EventStore store) {
        this.partitions = partitions;
        this.store = store;
        synchronized (FlowRig.class) {
            topic = "orders-" + ++topics;
        }
        group = "billing-" + topic;
        broker.createTopic(topic, partitions);
    }

    /** A store in memory that says that several machines can use it, for groups with several members. */
    static EventStore shared() {
        EventStore store = new InMemoryEventStore();
        return new ForwardingStore(store) {
            @Override
            public Adoptions adoptions() {
                Adoptions target = store.adoptions();
                return (Adoptions) Proxy.newProxyInstance(
                        Adoptions.class.getClassLoader(),
                        new Class<?>[] {Adoptions.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("isShared") ? true : method.invoke(target, arguments));
            }
        };
    }

    /** Retries after {@code delay}, three attempts in all. */
    static EventPolicies retryAfter(Duration delay) {
        return EventPolicies.defaults()
                .with(
                        "*",
                        RetryPolicy.builder()
                                .maxAttempts(3)
                                .backoff(Backoff.fixed(delay))
                                .build());
    }

    KafkaFlow.Builder flow() {
        return KafkaFlow.on(store)
                .bootstrap(broker.bootstrap())
                .group(group)
                .topics(topic)
                .mapping(RecordMapping.named("order.paid"))
                .client("session.timeout.ms", 6000)
                .client("heartbeat.interval.ms", 500);
    }

    Member start(UnaryOperator<KafkaFlow.Builder> settings, UnaryOperator<Pipeline.Builder> handlers) {
        KafkaFlow flow = settings.apply(flow()).open();
        opened.add(flow);
        Pipeline pipeline = handlers.apply(Pipeline.on(flow).profile(Profile.STANDARD.withLease(Duration.ofSeconds(5))))
                .start();
        opened.add(pipeline);
        return new Member(flow, pipeline);
    }

    /** One process of the group. */
    record Member(KafkaFlow flow, Pipeline pipeline) implements AutoCloseable {
        @Override
        public void close() {
            pipeline.close();
            flow.close();
        }
    }

    void send(int partition, String key, String value) {
        broker.send(new ProducerRecord<>(topic, partition, bytes(key), bytes(value)));
    }

    static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    Collection<TopicPartition> topicPartitions() {
        List<TopicPartition> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        return all;
    }

    /** Waits until the broker has acknowledged that all records are finished. */
    void awaitNoLag() {
        broker.flush();
        until(() -> broker.lag(group, topicPartitions()) == 0);
    }

    static void until(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(50))
                .until(condition);
    }

    /** Returns the flow that another process reads from the store. */
    NodeFlow reportedFlow() {
        List<NodeFlow> flows = NodeFlow.of(store.notes());
        return flows.get(flows.size() - 1);
    }

    /** Returns the topic that another process reads from the store; zero partitions before the first report. */
    TopicReport reported() {
        return NodeFlow.of(store.notes()).stream()
                .flatMap(flow -> flow.report().topics().stream())
                .filter(each -> each.topic().equals(topic))
                .findFirst()
                .orElse(TopicReport.of(topic, List.of(), List.of(), false));
    }

    List<DeadLetter> letters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, DeadLetters.MAX_PAGE);
    }

    @Override
    public void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        store.close();
    }
}
