package io.redrive.events.flow;

import java.time.Instant;
import java.util.List;

/**
 * The state of a node's flow.
 *
 * @param group the group
 * @param sources the topics, or the pattern of topics, that the node reads, in words
 * @param at when the node heard last of its group, by the node's clock
 * @param brake the state of the brake
 * @param topics the topics of which the node owns partitions
 * @param partitions the partitions that the node owns
 * @param leftOut the topics that did not fit into the note of the node
 */
public record FlowReport(
        String group,
        String sources,
        Instant at,
        Brake brake,
        List<TopicReport> topics,
        List<PartitionReport> partitions,
        LeftOut leftOut) {

    /** Copies the lists. */
    public FlowReport {
        topics = List.copyOf(topics);
        partitions = List.copyOf(partitions);
    }

    /**
     * The state of the brake.
     *
     * @param isOn true when the brake refused a row a moment ago
     * @param rows rows that the node has added to the store since its start: waiting events and dead letters
     * @param maxWaiting the number of waiting events in the store from which on the brake refuses rows
     */
    public record Brake(boolean isOn, long rows, long maxWaiting) {}

    /**
     * Topics that are missing in {@link FlowReport#topics}.
     *
     * @param topics the number of topics
     * @param lag their lag
     */
    public record LeftOut(int topics, long lag) {

        /** No topic is missing. */
        public static final LeftOut NONE = new LeftOut(0, 0);
    }
}
