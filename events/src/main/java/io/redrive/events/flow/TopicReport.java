package io.redrive.events.flow;

import java.util.List;

/**
 * The partitions of one topic that a node owns, added up.
 *
 * @param topic the topic
 * @param partitions the number of partitions
 * @param lag records that are neither done nor rows of the store
 * @param open fetched records that count as lag
 * @param held open records that wait in memory for their next attempt
 * @param blockedKeys keys whose later records wait behind an event in the store
 * @param paused the number of paused partitions
 * @param names names of events that records of the topic had, at most {@link #MAX_NAMES}
 * @param hasMoreNames true when records of the topic had further names
 */
public record TopicReport(
        String topic,
        int partitions,
        long lag,
        int open,
        int held,
        int blockedKeys,
        int paused,
        List<String> names,
        boolean hasMoreNames) {

    /** The most names of a topic in a report. */
    public static final int MAX_NAMES = 20;

    /** Copies the names. */
    public TopicReport {
        names = List.copyOf(names);
    }

    /** Returns the sum of these partitions, which belong to one topic. */
    public static TopicReport of(
            String topic, List<PartitionReport> partitions, List<String> names, boolean hasMoreNames) {
        long lag = 0;
        int open = 0;
        int held = 0;
        int blockedKeys = 0;
        int paused = 0;
        for (PartitionReport each : partitions) {
            lag += each.lag();
            open += each.open();
            held += each.held();
            blockedKeys += each.blockedKeys();
            paused += each.pause().isPresent() ? 1 : 0;
        }
        return new TopicReport(topic, partitions.size(), lag, open, held, blockedKeys, paused, names, hasMoreNames);
    }
}
