package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.NamePattern;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.TopicFlow;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an operator sees of flows: running, crashed and stopped nodes, two groups on a topic, letters of a topic's names. */
class FlowOperationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final StoredOperations operations = Operations.of(store, Operator.named("ann", Role.OPERATOR), time);
    private final Map<String, FlowReport> reports = new HashMap<>();

    private Pipeline node(String node) {
        EventStore above = new ForwardingStore(store) {
            @Override
            public Optional<FlowReport> flow() {
                return Optional.ofNullable(reports.get(node));
            }
        };
        return Pipeline.on(above)
                .executor(Runnable::run)
                .time(time)
                .node(node)
                .handle("*", event -> Outcome.dead("no"))
                .build();
    }

    private void report(String node, String group, String name, PartitionReport... partitions) {
        Map<String, List<PartitionReport>> byTopic = new TreeMap<>();
        for (PartitionReport each : partitions) {
            byTopic.computeIfAbsent(each.topic(), topic -> new ArrayList<>()).add(each);
        }
        reports.put(
                node,
                new FlowReport(
                        group,
                        "orders",
                        time.now(),
                        new FlowReport.Brake(false, 0, 100),
                        byTopic.entrySet().stream()
                                .map(topic -> TopicReport.of(topic.getKey(), topic.getValue(), List.of(name), false))
                                .toList(),
                        List.of(partitions),
                        FlowReport.LeftOut.NONE));
    }

    private static PartitionReport partition(String topic, int partition, long lag) {
        return new PartitionReport(topic, partition, lag, 2, 1, 1, Optional.empty());
    }

    private GroupFlow only() {
        assertThat(operations.flows().groups()).hasSize(1);
        return operations.flows().groups().get(0);
    }

    private void letter(Pipeline node, String name) {
        store.publish(
                List.of(Event.named(name)
                        .id(name + time.nanos() + store.stats(time.now()).dead())
                        .source("test")
                        .created(time.now())
                        .build()),
                time.now());
        node.drain();
    }

    @Test
    void without_a_flow_there_is_no_group() {
        node("shop-1").step();
        assertThat(operations.flows()).isEqualTo(new Flows(List.of(), 0));
    }

    @Test
    void partitions_of_all_nodes_add_up_to_topics_with_the_letters_of_their_names() {
        report("shop-1", "billing", "order.paid", partition("orders", 0, 5), partition("refunds", 0, 1));
        report(
                "shop-2",
                "billing",
                "order.paid",
                new PartitionReport("orders", 1, 7, 3, 2, 0, Optional.of(PauseReason.BACK_PRESSURE)));
        Pipeline first = node("shop-1");
        first.step();
        node("shop-2").step();
        letter(first, "order.paid");
        letter(first, "order.other");

        GroupFlow group = only();
        assertThat(group.group()).isEqualTo("billing");
        assertThat(group.running()).isEqualTo(2);
        assertThat(group.lag()).isEqualTo(13);
        TopicFlow orders = group.topics().get(0);
        assertThat(orders)
                .isEqualTo(new TopicFlow(
                        true,
                        2,
                        new TopicReport("orders", 2, 12, 5, 3, 1, 1, List.of("order.paid"), false),
                        Map.of("order.paid", 1L),
                        List.of()));
        assertThat(group.partitions())
                .extracting(each -> each.node() + " " + each.report().topic() + " "
                        + each.report().partition())
                .containsExactly("shop-1 orders 0", "shop-2 orders 1", "shop-1 refunds 0");
        assertThat(group.partitionsLeftOut()).isZero();
    }

    @Test
    void a_node_that_died_is_stale_and_its_figures_do_not_count_beside_those_of_its_successor() {
        report("dead", "billing", "order.paid", partition("orders", 0, 500));
        node("dead").step();
        time.advance(Duration.ofSeconds(20));
        GroupFlow before = only();
        assertThat(before.running()).isZero();
        assertThat(before.lag()).isZero();
        assertThat(before.partitions()).isEmpty();
        assertThat(before.topics())
                .extracting(TopicFlow::isCurrent, TopicFlow::lag)
                .containsExactly(tuple(false, 500L));

        report("next", "billing", "order.paid", partition("orders", 0, 3));
        node("next").step();
        GroupFlow after = only();
        assertThat(after.nodes())
                .extracting(FlowNode::node, FlowNode::state)
                .containsExactly(tuple("dead", FlowNode.State.STALE), tuple("next", FlowNode.State.RUNNING));
        assertThat(after.topics())
                .extracting(TopicFlow::isCurrent, TopicFlow::lag, TopicFlow::nodes)
                .containsExactly(tuple(true, 3L, 1));
    }

    @Test
    void a_stopped_group_keeps_its_topics_and_their_letters() {
        report("shop-1", "billing", "order.paid", partition("orders", 0, 5));
        Pipeline node = node("shop-1");
        node.step();
        letter(node, "order.paid");
        node.close();
        assertThat(only().nodes()).extracting(FlowNode::state).containsExactly(FlowNode.State.STOPPED);
        assertThat(only().topics())
                .extracting(TopicFlow::isCurrent, TopicFlow::lag, TopicFlow::letters)
                .containsExactly(tuple(false, 0L, 1L));
    }

    @Test
    void two_groups_on_one_topic_have_lags_of_their_own_and_the_same_letters() {
        report("shop-1", "billing", "order.paid", partition("orders", 0, 5));
        report("shop-2", "reporting", "order.paid", partition("orders", 0, 9));
        Pipeline first = node("shop-1");
        first.step();
        node("shop-2").step();
        letter(first, "order.paid");
        assertThat(operations.flows().groups())
                .extracting(
                        GroupFlow::group,
                        GroupFlow::lag,
                        group -> group.topics().get(0).letters())
                .containsExactly(tuple("billing", 5L, 1L), tuple("reporting", 9L, 1L));
    }

    @Test
    void a_partition_that_two_nodes_report_belongs_to_the_later_report() {
        report("before", "billing", "order.paid", partition("orders", 0, 5));
        node("before").step();
        time.advance(Duration.ofSeconds(1));
        report("after", "billing", "order.paid", partition("orders", 0, 4));
        node("after").step();
        assertThat(only().partitions()).singleElement().satisfies(each -> {
            assertThat(each.node()).isEqualTo("after");
            assertThat(each.report().lag()).isEqualTo(4);
        });
    }

    @Test
    void a_paused_name_of_a_topic_is_named() {
        report("shop-1", "billing", "order.paid", partition("orders", 0, 5), partition("refunds", 0, 5));
        node("shop-1").step();
        operations.pauses().pause(new NamePattern("order.*"), "outage", Optional.empty());
        operations.pauses().pause(new NamePattern("mail.*"), "outage", Optional.empty());
        assertThat(only().topics()).allMatch(topic -> topic.pausedNames().equals(List.of("order.*")));
    }

    @Test
    void events_that_wait_in_the_store_are_counted_once_for_all_groups() {
        report("shop-1", "billing", "order.paid", partition("orders", 0, 5));
        node("shop-1").step();
        store.publish(
                List.of(Event.named("mail.sent")
                        .id("m")
                        .source("test")
                        .created(time.now())
                        .build()),
                time.now());
        assertThat(operations.flows().waiting()).isEqualTo(1);
    }
}
