package io.redrive.cli.kafka;

import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.core.DurationText;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.PartitionFlow;
import io.redrive.operations.flow.TopicFlow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of one group: topics, nodes, partitions. */
final class FlowTables {

    private FlowTables() {}

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a number with its noun: {@code 1 node}, {@code 2 nodes}. */
    static String counted(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    static TextTable topics(GroupFlow group) {
        TextTable table = new TextTable(
                Column.elastic("topic"),
                Column.right("partitions").droppable(2),
                Column.right("lag"),
                Column.right("open").droppable(3),
                Column.right("held"),
                Column.right("blocked keys").droppable(1),
                Column.right("paused"),
                Column.right("letters"),
                Column.elastic("remark"));
        for (TopicFlow topic : group.topics()) {
            TopicReport sum = topic.sum();
            table.add(
                    sum.topic(),
                    count(sum.partitions()),
                    count(sum.lag()),
                    count(sum.open()),
                    count(sum.held()),
                    count(sum.blockedKeys()),
                    count(sum.paused()),
                    letters(topic),
                    remark(topic, group));
        }
        return table;
    }

    /** Without a name the letters are not known; with further names there may be more. */
    private static String letters(TopicFlow topic) {
        if (topic.sum().names().isEmpty()) {
            return "?";
        }
        return count(topic.letters()) + (topic.sum().hasMoreNames() ? "+" : "");
    }

    private static String remark(TopicFlow topic, GroupFlow group) {
        List<String> remarks = new ArrayList<>();
        if (!topic.isCurrent()) {
            remarks.add("stale");
        }
        if (!topic.pausedNames().isEmpty()) {
            remarks.add("paused: " + String.join(", ", topic.pausedNames()));
        }
        group.pauseReasons(topic).forEach(reason -> remarks.add(reason.words()));
        return String.join("; ", remarks);
    }

    static TextTable nodes(GroupFlow group, Instant now) {
        TextTable table = new TextTable(
                Column.elastic("node"),
                Column.left("state"),
                Column.right("heard"),
                Column.right("partitions"),
                Column.right("rows added").droppable(2),
                Column.left("brake").droppable(1),
                Column.elastic("reads").droppable(3));
        for (FlowNode node : group.nodes()) {
            table.add(
                    node.node(),
                    node.state().code(),
                    ago(node.at(), now),
                    count(node.partitions()),
                    count(node.brake().rows()),
                    node.brake().isOn() ? "on" : "off",
                    node.sources());
        }
        return table;
    }

    /** The time is of the clock of the node, which may be ahead. */
    private static String ago(Instant at, Instant now) {
        Duration since = Duration.between(at, now);
        return since.toSeconds() < 1 ? "now" : DurationText.format(Duration.ofSeconds(since.toSeconds())) + " ago";
    }

    static TextTable partitions(GroupFlow group) {
        TextTable table = new TextTable(
                Column.elastic("topic"),
                Column.right("partition"),
                Column.right("lag"),
                Column.right("open").droppable(2),
                Column.right("held"),
                Column.right("blocked keys").droppable(1),
                Column.elastic("node"),
                Column.elastic("paused"));
        for (PartitionFlow flow : group.partitions()) {
            PartitionReport report = flow.report();
            table.add(
                    report.topic(),
                    report.partition(),
                    count(report.lag()),
                    count(report.open()),
                    count(report.held()),
                    count(report.blockedKeys()),
                    flow.node(),
                    report.pause().map(PauseReason::words).orElse(""));
        }
        return table;
    }
}
