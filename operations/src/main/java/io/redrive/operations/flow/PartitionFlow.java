package io.redrive.operations.flow;

import io.redrive.events.flow.PartitionReport;

/**
 * A partition and its owner.
 *
 * @param node the node that owns the partition
 * @param report the state of the partition
 */
public record PartitionFlow(String node, PartitionReport report) {}
