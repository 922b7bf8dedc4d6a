package io.redrive.server.http;

import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.PartitionFlow;
import io.redrive.operations.flow.TopicFlow;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Flows of records from topics of Kafka, as the nodes reported them. */
@RestController
class FlowResource {

    private final CallerOperations operations;

    FlowResource(CallerOperations operations) {
        this.operations = operations;
    }

    @GetMapping("/api/v1/kafka")
    Map<String, Object> flows(HttpServletRequest request) {
        Query.of(request);
        Flows flows = operations.of(request).flows();
        return new Answer()
                .put("waiting", flows.waiting())
                .put("groups", flows.groups().stream().map(FlowResource::group).toList())
                .done();
    }

    private static Answer group(GroupFlow group) {
        return new Answer()
                .put("group", group.group())
                .put("nodes", group.nodes().stream().map(FlowResource::node).toList())
                .put("topics", group.topics().stream().map(FlowResource::topic).toList())
                .put(
                        "partitions",
                        group.partitions().stream().map(FlowResource::partition).toList());
    }

    private static Answer node(FlowNode node) {
        return new Answer()
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

    private static Answer topic(TopicFlow topic) {
        TopicReport sum = topic.sum();
        return new Answer()
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
                .put("letters_by_name", topic.lettersByName())
                .put("paused_names", topic.pausedNames());
    }

    private static Answer partition(PartitionFlow flow) {
        PartitionReport report = flow.report();
        return new Answer()
                .put("topic", report.topic())
                .put("partition", report.partition())
                .put("node", flow.node())
                .put("lag", report.lag())
                .put("open", report.open())
                .put("held", report.held())
                .put("blocked_keys", report.blockedKeys())
                .put("pause", report.pause().map(PauseReason::code));
    }
}
