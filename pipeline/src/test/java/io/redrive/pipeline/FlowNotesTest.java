package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.EventStore;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reports of flows in the shared notes: what other processes read, for how long it counts, and how much is written. */
class FlowNotesTest {

    private final Rig rig = new Rig();
    private final Map<String, FlowReport> flows = new HashMap<>();

    /** A node whose store has a flow, once {@link #flows} has a report for the node. */
    private Pipeline node(String node) {
        EventStore store = new ForwardingStore(rig.store) {
            @Override
            public Optional<FlowReport> flow() {
                return Optional.ofNullable(flows.get(node));
            }
        };
        return rig.pipelineOn(store).node(node).on("order.*", event -> {}).build();
    }

    private FlowReport report(String group, PartitionReport... partitions) {
        return report(group, List.of("order.paid"), List.of(partitions));
    }

    private FlowReport report(String group, List<String> names, List<PartitionReport> partitions) {
        Map<String, List<PartitionReport>> byTopic = new HashMap<>();
        partitions.forEach(each -> byTopic.computeIfAbsent(each.topic(), topic -> new ArrayList<>())
                .add(each));
        List<TopicReport> topics = byTopic.entrySet().stream()
                .map(topic -> TopicReport.of(topic.getKey(), topic.getValue(), names, false))
                .toList();
        return new FlowReport(
                group,
                "orders",
                rig.time.now(),
                new FlowReport.Brake(false, 7, 100_000),
                topics,
                partitions,
                FlowReport.LeftOut.NONE);
    }

    private static PartitionReport partition(String topic, int partition, long lag) {
        return new PartitionReport(topic, partition, lag, 2, 1, 0, Optional.empty());
    }

    private List<NodeFlow> read() {
        return NodeFlow.of(rig.store.notes());
    }

    private void beat(Pipeline... nodes) {
        rig.time.advance(Member.BEAT);
        for (Pipeline node : nodes) {
            node.step();
        }
    }

    @Test
    void any_process_reads_the_flow_of_a_node_as_the_node_reported_it() {
        FlowReport report = report(
                "billing",
                new PartitionReport("orders", 0, 12, 3, 2, 1, Optional.of(PauseReason.BRAKE)),
                partition("orders", 1, 5));
        flows.put("shop-1", report);
        node("shop-1").step();

        assertThat(read()).containsExactly(new NodeFlow("shop-1", report, false));
        assertThat(report.topics())
                .containsExactly(new TopicReport("orders", 2, 17, 5, 3, 1, 1, List.of("order.paid"), false));
    }

    @Test
    void a_store_without_a_flow_leaves_no_note() {
        node("shop-1").step();
        assertThat(read()).isEmpty();
        assertThat(rig.store.notes().read()).noneMatch(note -> note.topic().equals(FlowNotes.TOPIC));
    }

    @Test
    void a_report_is_stale_after_fifteen_seconds_without_news_of_the_intake() {
        flows.put("shop-1", report("billing", partition("orders", 0, 5)));
        Pipeline node = node("shop-1");
        node.step();
        Instant reported = rig.time.now();
        beat(node);
        beat(node);
        assertThat(read().get(0).isCurrent(rig.time.now())).isTrue();
        beat(node);
        assertThat(read().get(0).report().at()).isEqualTo(reported);
        assertThat(read().get(0).isCurrent(rig.time.now()))
                .as("the pipeline lives, but its intake says nothing new")
                .isFalse();
    }

    @Test
    void a_node_that_stops_erases_its_report_unless_it_is_the_last_of_its_group() {
        flows.put("shop-1", report("billing", partition("orders", 0, 5)));
        flows.put("shop-2", report("billing", partition("orders", 1, 5)));
        Pipeline first = node("shop-1");
        Pipeline second = node("shop-2");
        first.step();
        second.step();
        first.close();
        assertThat(read()).extracting(NodeFlow::node).containsExactly("shop-2");
        second.close();
        NodeFlow last = read().get(0);
        assertThat(last.hasStopped()).isTrue();
        assertThat(last.isCurrent(rig.time.now())).isFalse();
        assertThat(last.report().partitions()).isEmpty();
        assertThat(last.report().topics())
                .containsExactly(new TopicReport("orders", 0, 0, 0, 0, 0, 0, List.of("order.paid"), false));
    }

    @Test
    void a_restarted_node_knows_the_names_of_its_topics_before_the_first_record() {
        flows.put("shop-1", report("billing", partition("orders", 0, 5)));
        Pipeline before = node("shop-1");
        before.step();
        before.close();
        flows.put("shop-2", report("billing", List.of("order.sent"), List.of(partition("orders", 0, 0))));
        flows.put("other", report("reporting", List.of(), List.of(partition("orders", 0, 0))));
        node("shop-2").step();
        node("other").step();
        assertThat(read())
                .filteredOn(flow -> flow.node().equals("shop-2"))
                .singleElement()
                .satisfies(flow ->
                        assertThat(flow.report().topics().get(0).names()).containsExactly("order.sent", "order.paid"));
        assertThat(read())
                .filteredOn(flow -> flow.node().equals("other"))
                .singleElement()
                .satisfies(flow ->
                        assertThat(flow.report().topics().get(0).names()).isEmpty());
    }

    @Test
    void two_flows_of_a_node_have_a_report_each() {
        flows.put("shop-1", report("billing", partition("orders", 0, 5)));
        node("shop-1").step();
        flows.put("shop-1", report("reporting", partition("orders", 0, 9)));
        node("shop-1").step();
        assertThat(read()).extracting(flow -> flow.report().group()).containsExactly("billing", "reporting");
    }

    @Test
    void the_report_of_a_crashed_node_is_forgotten_after_an_hour_while_its_group_runs_and_else_after_a_month() {
        flows.put("gone", report("billing", partition("orders", 0, 5)));
        flows.put("lonely", report("reporting", partition("orders", 0, 5)));
        node("gone").step();
        node("lonely").step();
        Pipeline alive = node("alive");
        rig.time.advance(Duration.ofHours(2));
        flows.put("alive", report("billing", partition("orders", 0, 5)));
        alive.step();
        flows.put("alive", report("billing", partition("orders", 0, 5)));
        beat(alive);
        assertThat(read()).extracting(NodeFlow::node).containsExactly("alive", "lonely");
        rig.time.advance(Duration.ofDays(31));
        beat(alive);
        assertThat(read()).extracting(NodeFlow::node).doesNotContain("lonely");
    }

    @Test
    void thousands_of_partitions_fit_into_one_note_and_the_paused_and_slow_ones_come_first() {
        List<PartitionReport> many = new ArrayList<>(IntStream.range(0, 3_000)
                .mapToObj(number -> partition("orders", number, number))
                .toList());
        many.add(new PartitionReport("orders", 3_000, 0, 9, 9, 0, Optional.of(PauseReason.PAUSED_NAME)));
        flows.put("shop-1", report("billing", List.of("order.paid"), many));
        node("shop-1").step();

        FlowReport read = read().get(0).report();
        assertThat(read.topics().get(0).partitions()).isEqualTo(3_001);
        assertThat(read.topics().get(0).lag()).isEqualTo(3_000L * 2_999 / 2);
        assertThat(read.partitions()).hasSizeBetween(100, 300);
        assertThat(read.partitions().get(0).partition()).isEqualTo(3_000);
        assertThat(read.partitions().get(1).partition()).isEqualTo(2_999);
        assertThat(note().value()).hasSizeLessThanOrEqualTo(FlowText.MOST_TEXT);
    }

    @Test
    void topics_that_do_not_fit_are_counted_with_their_lag() {
        List<PartitionReport> many = IntStream.range(0, 1_000)
                .mapToObj(number -> partition("x".repeat(240) + number, 0, number))
                .toList();
        flows.put("shop-1", report("billing", List.of("name".repeat(50)), many));
        node("shop-1").step();

        FlowReport read = read().get(0).report();
        int shown = read.topics().size();
        assertThat(shown).isPositive();
        assertThat(read.topics().get(0).lag()).isEqualTo(999);
        assertThat(read.leftOut().topics()).isEqualTo(1_000 - shown);
        assertThat(read.leftOut().lag()
                        + read.topics().stream().mapToLong(TopicReport::lag).sum())
                .isEqualTo(1_000L * 999 / 2);
        assertThat(note().value()).hasSizeLessThanOrEqualTo(FlowText.MOST_TEXT);
    }

    @Test
    void names_that_do_not_fit_are_told_as_missing() {
        List<String> names = IntStream.range(0, 20)
                .mapToObj(number -> "n".repeat(190) + number)
                .toList();
        flows.put("shop-1", report("billing", names, List.of(partition("orders", 0, 1))));
        node("shop-1").step();
        TopicReport topic = read().get(0).report().topics().get(0);
        assertThat(topic.names()).hasSize(2);
        assertThat(topic.hasMoreNames()).isTrue();
    }

    @Test
    void a_group_of_any_text_is_one_field_of_one_line() {
        flows.put("shop-1", report("bill\ting\nflow\t\0\uD800<b>".concat("ü".repeat(190)), partition("orders", 0, 5)));
        node("shop-1").step();
        assertThat(read()).hasSize(1);
        assertThat(read().get(0).report().group()).startsWith("bill\uFFFDing\uFFFDflow\uFFFD\uFFFD\uFFFD<b>üü");
        assertThat(read().get(0).report().partitions()).hasSize(1);
    }

    @Test
    void notes_that_are_no_flow_are_skipped_and_erased() {
        for (String bad : List.of(
                "",
                "flow",
                "flow\ta\tb\tc\tyesterday\truns\tno\t0\t0\t0\t0",
                "topic\torders\t1\t2\t3\t4\t5\t6\tno\t",
                "flow\ta\tb\tc\t2026-01-01T00:00:00Z\truns\tno\t-1\t0\t0\t0")) {
            rig.store.notes().write(Note.first(FlowNotes.TOPIC, "bad" + bad.length(), bad));
        }
        assertThat(read()).isEmpty();
        node("shop-1").step();
        assertThat(rig.store.notes().read()).noneMatch(note -> note.topic().equals(FlowNotes.TOPIC));
    }

    @Test
    void lines_of_a_report_that_do_not_fit_are_left_out() {
        String text = "flow\tshop-1\tbilling\torders\t2026-01-01T00:00:00Z\truns\tyes\t7\t9\t0\t0\n"
                + "topic\torders\t1\t99999999999999999\t3\t4\t5\t6\tno\t\n"
                + "topic\torders\tmany\n"
                + "partition\t0\t1\t2\t3\t4\t5\tlater\n"
                + "partition\t9\t1\t2\t3\t4\t5\tbrake\n"
                + "comet\t1\n";
        NodeFlow flow = FlowText.read(text).orElseThrow();
        assertThat(flow.report().topics()).hasSize(1);
        assertThat(flow.report().partitions())
                .containsExactly(new PartitionReport("orders", 1, 2, 3, 4, 5, Optional.empty()));
    }

    private Note note() {
        return rig.store.notes().read().stream()
                .filter(note -> note.topic().equals(FlowNotes.TOPIC))
                .findFirst()
                .orElseThrow();
    }
}
