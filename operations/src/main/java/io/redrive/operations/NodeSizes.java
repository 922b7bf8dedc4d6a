package io.redrive.operations;

import io.redrive.pipeline.ChosenSize;
import io.redrive.pipeline.Member;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The sizes that a live node chose because of its load, as the command line, the server and the console show the sizes. A fixed
 * size was not chosen and is left out.
 *
 * @param node the name of the node
 * @param sizes the sizes with bounds between which the node chose
 */
public record NodeSizes(String node, List<ChosenSize> sizes) {

    /** Copies the sizes. */
    public NodeSizes {
        sizes = List.copyOf(sizes);
    }

    /** Returns the sizes of one node; none for a node that has not announced itself lately. */
    public static NodeSizes of(Member node, Instant now) {
        List<ChosenSize> chosen = node.isAlive(now)
                ? node.sizes().stream()
                        .filter(size -> size.least() < size.most())
                        .toList()
                : List.of();
        return new NodeSizes(node.node(), chosen);
    }

    /** Returns the nodes that chose a size, in the given order. */
    public static List<NodeSizes> of(List<Member> nodes, Instant now) {
        return nodes.stream()
                .map(node -> of(node, now))
                .filter(node -> !node.sizes().isEmpty())
                .toList();
    }

    /** Returns a size as the members of a JSON object, in their order. */
    public static Map<String, Object> members(ChosenSize size) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("subject", size.subject());
        members.put("size", size.size());
        members.put("unit", size.unit());
        members.put("least", size.least());
        members.put("most", size.most());
        members.put("why", size.why());
        return members;
    }
}
