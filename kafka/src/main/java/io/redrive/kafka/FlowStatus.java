package io.redrive.kafka;

import java.util.List;

/** Describes the partitions of this process. */
final class FlowStatus {

    private FlowStatus() {}

    static List<KafkaFlow.PartitionStatus> of(OwnedPartitions partitions) {
        return partitions.locked(
                () -> partitions.all().stream().map(FlowStatus::of).toList());
    }

    private static KafkaFlow.PartitionStatus of(OwnedPartition owner) {
        return new KafkaFlow.PartitionStatus(
                owner.partition.topic(),
                owner.partition.partition(),
                owner.book.watermark(),
                owner.committed().watermark(),
                owner.book.open(),
                owner.book.heldRecords(),
                owner.isPaused(),
                owner.lag(),
                owner.book.storedKeyCount());
    }
}
