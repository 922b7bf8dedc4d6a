package io.redrive.cli.kafka;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.PartitionFlow;
import io.redrive.operations.flow.TopicFlow;

/** Flows as JSON, in the words of the HTTP API. */
final class FlowJson {

    private FlowJson() {}

    static JsonObject of(Flows flows) {
        return new JsonObject()
                .put("waiting", flows.waiting())
                .put("groups", flows.groups().stream().map(FlowJson::group).toList());
    }

    private static JsonObject group(GroupFlow group) {
        return new JsonObject()
                .put("group", group.group())
                .put("nodes", group.nodes().stream().map(FlowJson::node).toList())
                .put("topics", group.topics().stream().map(FlowJson::topic).toList())
                .put(
                        "partitions",
                        group.partitions().stream().map(FlowJson::partition).toList());
    }

    private static JsonObject node(FlowNode node) {
        return new JsonObject()
                .put("node", node.node())
                .put("state", node.state().code())
                .put("sources", node.sources())
                .put("at", node.at())
                .put("partitions", node.partitions())
                .put("brake", node.brake().isOn())
                .put("rows", node.brake().rows())
                .put("max_waiting", node.brake().maxWaiting())
                .put("topics_left_out", node.leftOut().topics())
                .put("lag_left_out", node.leftOut().lag());
    }

    private static JsonObject topic(TopicFlow topic) {
        TopicReport sum = topic.sum();
        return new JsonObject()
                .put("topic", sum.topic())
                .put("current", topic.isCurrent())
                .put("nodes", topic.nodes())
                .put("partitions", sum.partitions())
                .put("lag", sum.lag())
                .put("open", sum.open())
                .put("held", sum.held())
                .put("blocked_keys", sum.blockedKeys())
                .put("paused", sum.paused())
                .put("names", sum.names())
                .put("more_names", sum.hasMoreNames())
                .put("letters", topic.letters())
                .put("letters_by_name", letters(topic))
                .put("paused_names", topic.pausedNames());
    }

    private static JsonObject letters(TopicFlow topic) {
        JsonObject letters = new JsonObject();
        topic.lettersByName().forEach(letters::put);
        return letters;
    }

    private static JsonObject partition(PartitionFlow flow) {
        PartitionReport report = flow.report();
        return new JsonObject()
                .put("topic", report.topic())
                .put("partition", report.partition())
                .put("node", flow.node())
                .put("lag", report.lag())
                .put("open", report.open())
                .put("held", report.held())
                .put("blocked_keys", report.blockedKeys())
                .put("pause", report.pause().map(PauseReason::code).orElse(null));
    }
}
