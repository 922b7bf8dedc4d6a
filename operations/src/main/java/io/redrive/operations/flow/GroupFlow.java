package io.redrive.operations.flow;

import io.redrive.events.flow.PauseReason;
import java.util.List;

/**
 * The flow of one group.
 *
 * @param group the group
 * @param nodes the nodes, by name
 * @param topics the topics, by name
 * @param partitions partitions of running nodes, by topic and number; of a node with very many partitions only the paused ones and
 *     the ones with the most lag
 */
public record GroupFlow(String group, List<FlowNode> nodes, List<TopicFlow> topics, List<PartitionFlow> partitions) {

    /** Copies the lists. */
    public GroupFlow {
        nodes = List.copyOf(nodes);
        topics = List.copyOf(topics);
        partitions = List.copyOf(partitions);
    }

    /** Returns the number of running nodes. */
    public int running() {
        return (int) nodes.stream()
                .filter(node -> node.state() == FlowNode.State.RUNNING)
                .count();
    }

    /** Returns the lag of all topics with a running node, together with topics that did not fit into the reports. */
    public long lag() {
        long leftOut = nodes.stream()
                .filter(node -> node.state() == FlowNode.State.RUNNING)
                .mapToLong(node -> node.leftOut().lag())
                .sum();
        return leftOut
                + topics.stream()
                        .filter(TopicFlow::isCurrent)
                        .mapToLong(TopicFlow::lag)
                        .sum();
    }

    /** Returns the number of topics that did not fit into the reports of running nodes. */
    public int topicsLeftOut() {
        return nodes.stream()
                .filter(node -> node.state() == FlowNode.State.RUNNING)
                .mapToInt(node -> node.leftOut().topics())
                .sum();
    }

    /** Returns the number of partitions of running nodes that did not fit into their reports. */
    public int partitionsLeftOut() {
        int all = topics.stream()
                .filter(TopicFlow::isCurrent)
                .mapToInt(TopicFlow::partitions)
                .sum();
        return Math.max(0, all - partitions.size());
    }

    /** Returns why partitions of a topic are paused, each reason once; empty when none is. */
    public List<PauseReason> pauseReasons(TopicFlow topic) {
        return partitions.stream()
                .map(PartitionFlow::report)
                .filter(report -> report.topic().equals(topic.topic()))
                .flatMap(report -> report.pause().stream())
                .distinct()
                .sorted()
                .toList();
    }
}
