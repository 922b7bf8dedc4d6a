package io.redrive.events.flow;

import java.util.Optional;

/**
 * The state of one partition at its owner.
 *
 * @param topic the topic
 * @param partition the number of the partition
 * @param lag records that are neither done nor rows of the store
 * @param open fetched records that count as lag
 * @param held open records that wait in memory for their next attempt
 * @param blockedKeys keys whose later records wait behind an event in the store
 * @param pause why no further records are fetched; empty for a partition that is not paused
 */
public record PartitionReport(
        String topic, int partition, long lag, int open, int held, int blockedKeys, Optional<PauseReason> pause) {}
