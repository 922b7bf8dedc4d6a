package io.redrive.operations.flow;

import io.redrive.events.flow.FlowReport;
import java.time.Instant;
import java.util.Locale;

/**
 * A node of a group.
 *
 * @param node the name of the node
 * @param state whether the node runs
 * @param sources the topics, or the pattern of topics, that the node reads, in words
 * @param at when the node heard last of its group, by the node's clock
 * @param partitions the number of partitions that the node owned at that time
 * @param brake the state of the brake at that time
 * @param leftOut topics that did not fit into the report
 */
public record FlowNode(
        String node,
        State state,
        String sources,
        Instant at,
        int partitions,
        FlowReport.Brake brake,
        FlowReport.LeftOut leftOut) {

    /** Whether a node runs. */
    public enum State {
        /** The node reported within the last 15 seconds. */
        RUNNING,
        /** The node has not reported for 15 seconds: the process or its intake has ended or hangs. */
        STALE,
        /** The node was stopped in good order. */
        STOPPED;

        /** Returns the name in JSON: {@code running}, {@code stale} or {@code stopped}. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
