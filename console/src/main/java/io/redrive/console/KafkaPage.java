package io.redrive.console;

import io.redrive.events.flow.PauseReason;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.TopicFlow;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows the flows of records from topics of Kafka: lag, held records, blocked keys, paused partitions, letters, owners. */
final class KafkaPage {

    /**
     * The facts of the page.
     *
     * @param flows the flows of all nodes
     * @param showsPartitions true when partitions are listed too
     */
    record View(Flows flows, boolean showsPartitions) {

        /** Returns the first line of the page. */
        String inWords() {
            List<GroupFlow> groups = flows.groups();
            if (groups.isEmpty()) {
                return "No node has reported a flow from Kafka.";
            }
            List<String> still = groups.stream()
                    .filter(group -> group.running() == 0)
                    .map(GroupFlow::group)
                    .toList();
            if (!still.isEmpty()) {
                return still.size() == 1
                        ? "No node of the group " + Format.brief(still.get(0), 100) + " runs."
                        : Format.counted(still.size(), "group") + " without a running node.";
            }
            long lag = groups.stream().mapToLong(GroupFlow::lag).sum();
            long paused = groups.stream()
                    .flatMap(group -> group.topics().stream())
                    .mapToLong(topic -> topic.sum().paused())
                    .sum();
            return (lag == 0 ? "No lag" : "A lag of " + Format.counted(lag, "record"))
                    + (paused == 0
                            ? "; no partition is paused."
                            : "; " + Format.counted(paused, "partition") + (paused == 1 ? " is" : " are") + " paused.");
        }
    }

    private final Renderer renderer;

    KafkaPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        return renderer.html(
                visit,
                "kafka",
                new View(visit.operations().flows(), !visit.param("partitions").isEmpty()));
    }

    /** Returns why partitions of a topic are paused, in words; empty when none is. */
    static String whyPaused(GroupFlow group, TopicFlow topic) {
        return group.pauseReasons(topic).stream().map(PauseReason::words).collect(Collectors.joining("; "));
    }

    /** Returns when a node heard last of its group; now when the clock of the node is ahead. */
    static Instant heardAt(FlowNode node, Visit visit) {
        return node.at().isAfter(visit.now()) ? visit.now() : node.at();
    }

    /** Returns the class of a node's state in the stylesheet. */
    static String style(FlowNode.State state) {
        return switch (state) {
            case RUNNING -> "badge good";
            case STALE -> "badge bad";
            case STOPPED -> "badge";
        };
    }
}
