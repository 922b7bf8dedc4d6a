package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.flow.FlowReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The flow of a node, as the node reported the flow last. A node with a flow reports every five seconds.
 *
 * @param node the name of the node
 * @param report the state of the flow
 * @param hasStopped true when the node was stopped in good order after the report
 */
public record NodeFlow(String node, FlowReport report, boolean hasStopped) {

    /** A report is stale after this time. */
    public static final Duration STALE_AFTER = Member.GONE_AFTER;

    /**
     * Returns the flows by group and node. The flow of a node that crashed or was stopped stays listed for an hour while other nodes
     * of its group report, and otherwise for 30 days.
     */
    public static List<NodeFlow> of(SharedNotes notes) {
        return notes.read().stream()
                .filter(note -> note.topic().equals(FlowNotes.TOPIC))
                .map(note -> FlowText.read(note.value()))
                .flatMap(Optional::stream)
                .sorted((one, other) -> {
                    int byGroup = one.report.group().compareTo(other.report.group());
                    return byGroup != 0 ? byGroup : one.node.compareTo(other.node);
                })
                .toList();
    }

    /** Returns true when the report still holds: the node runs, and reported within the last 15 seconds. */
    public boolean isCurrent(Instant now) {
        return !hasStopped && report.at().plus(STALE_AFTER).isAfter(now);
    }
}
