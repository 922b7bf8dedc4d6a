package io.redrive.cli.remote;

import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.PartitionFlow;
import io.redrive.operations.flow.TopicFlow;

/** Reads flows from answers. */
final class FlowShapes {

    private FlowShapes() {}

    static Flows flows(Fields fields) {
        return new Flows(fields.list("groups", FlowShapes::group), fields.number("waiting"));
    }

    private static GroupFlow group(Fields fields) {
        return new GroupFlow(
                fields.text("group"),
                fields.list("nodes", FlowShapes::node),
                fields.list("topics", FlowShapes::topic),
                fields.list("partitions", FlowShapes::partition));
    }

    private static FlowNode node(Fields fields) {
        return new FlowNode(
                fields.text("node"),
                fields.constant("state", FlowNode.State.class),
                fields.text("sources"),
                fields.time("at"),
                fields.integer("partitions"),
                new FlowReport.Brake(fields.isTrue("brake"), fields.number("rows"), fields.number("max_waiting")),
                new FlowReport.LeftOut(fields.integer("topics_left_out"), fields.number("lag_left_out")));
    }

    private static TopicFlow topic(Fields fields) {
        return new TopicFlow(
                fields.isTrue("current"),
                fields.integer("nodes"),
                new TopicReport(
                        fields.text("topic"),
                        fields.integer("partitions"),
                        fields.number("lag"),
                        fields.integer("open"),
                        fields.integer("held"),
                        fields.integer("blocked_keys"),
                        fields.integer("paused"),
                        fields.texts("names"),
                        fields.isTrue("more_names")),
                fields.counts("letters_by_name"),
                fields.texts("paused_names"));
    }

    private static PartitionFlow partition(Fields fields) {
        return new PartitionFlow(
                fields.text("node"),
                new PartitionReport(
                        fields.text("topic"),
                        fields.integer("partition"),
                        fields.number("lag"),
                        fields.integer("open"),
                        fields.integer("held"),
                        fields.integer("blocked_keys"),
                        fields.optional("pause").flatMap(PauseReason::of)));
    }
}
