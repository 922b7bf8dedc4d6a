package io.redrive.operations.flow;

import io.redrive.events.flow.TopicReport;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A topic of a group.
 *
 * @param isCurrent true when the figures are those of running nodes; false when they are the last figures of stale nodes, or zero
 *     because all nodes were stopped
 * @param nodes the number of nodes that own partitions of the topic
 * @param sum the partitions of all these nodes, added up
 * @param lettersByName the number of dead letters of each name in the sum. Letters of a name that came from another topic or group
 *     count too; letters of further names do not
 * @param pausedNames paused patterns that match a name of the topic
 */
public record TopicFlow(
        boolean isCurrent, int nodes, TopicReport sum, Map<String, Long> lettersByName, List<String> pausedNames) {

    /** Copies the collections. */
    public TopicFlow {
        lettersByName = Collections.unmodifiableMap(new TreeMap<>(lettersByName));
        pausedNames = List.copyOf(pausedNames);
    }

    /** Returns the topic. */
    public String topic() {
        return sum.topic();
    }

    /** Returns the number of dead letters of all names in the sum. */
    public long letters() {
        return lettersByName.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of partitions. */
    public int partitions() {
        return sum.partitions();
    }

    /** Returns the number of records that are neither done nor rows of the store. */
    public long lag() {
        return sum.lag();
    }
}
