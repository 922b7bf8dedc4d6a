package io.redrive.kafka;

import io.redrive.events.NamePattern;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Describes the partitions of this process: for its meters, and for the report that its node writes into the store. */
final class FlowReporter {

    private final FlowSettings settings;
    private final OwnedPartitions partitions;
    private final RowBrake brake;
    private final FlowExchange exchange;
    private final TopicNames names;
    private final Instant opened;

    FlowReporter(
            FlowSettings settings,
            OwnedPartitions partitions,
            RowBrake brake,
            FlowExchange exchange,
            TopicNames names,
            Instant opened) {
        this.settings = settings;
        this.partitions = partitions;
        this.brake = brake;
        this.exchange = exchange;
        this.names = names;
        this.opened = opened;
    }

    List<PartitionStatus> partitions() {
        return partitions.locked(
                () -> partitions.all().stream().map(FlowReporter::status).toList());
    }

    private static PartitionStatus status(OwnedPartition owner) {
        return new PartitionStatus(
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

    /** Returns the number of rows that this flow has added to the store. */
    long rows() {
        return brake.rows();
    }

    /** Returns the report of this process. An intake that never took a turn is stale like one that hangs. */
    Optional<FlowReport> report() {
        return Optional.of(report(partitions.lastTurn().orElse(opened)));
    }

    private FlowReport report(Instant at) {
        boolean isBraking = brake.isOn(at);
        Set<NamePattern> paused = exchange.pausedNames();
        List<PartitionReport> all = new ArrayList<>(partitions.locked(() -> partitions.all().stream()
                .map(owner -> report(owner, isBraking, paused))
                .toList()));
        partitions.waiting.all().forEach((partition, wait) -> all.add(report(partition, wait)));
        Map<String, List<PartitionReport>> byTopic = new TreeMap<>();
        all.forEach(each -> byTopic.computeIfAbsent(each.topic(), unused -> new ArrayList<>())
                .add(each));
        List<TopicReport> topics = new ArrayList<>();
        byTopic.forEach((topic, own) -> topics.add(TopicReport.of(topic, own, names.of(topic), names.hasMore(topic))));
        return new FlowReport(
                settings.group(),
                (partitions.waiting.isOutside() ? "nothing while the group has another member; then " : "")
                        + settings.sources(),
                at,
                new FlowReport.Brake(isBraking, brake.rows(), settings.maxBacklog()),
                topics,
                all,
                FlowReport.LeftOut.NONE);
    }

    private static PartitionReport report(OwnedPartition owner, boolean isBraking, Set<NamePattern> paused) {
        PartitionStatus status = status(owner);
        return new PartitionReport(
                status.topic(),
                status.partition(),
                status.lag(),
                status.open(),
                status.held(),
                status.blockedKeys(),
                status.paused() ? Optional.of(reason(owner, isBraking, paused)) : Optional.empty());
    }

    private static PartitionReport report(TopicPartition partition, WaitingPartitions.Wait wait) {
        return new PartitionReport(
                partition.topic(), partition.partition(), wait.lag(), 0, 0, 0, Optional.of(wait.reason()));
    }

    private static PauseReason reason(OwnedPartition owner, boolean isBraking, Set<NamePattern> paused) {
        boolean waitsForName = !paused.isEmpty()
                && owner.book.hasReady(name -> paused.stream().anyMatch(pattern -> pattern.matches(name)));
        if (waitsForName) {
            return PauseReason.PAUSED_NAME;
        }
        return isBraking && owner.book.heldRecords() > 0 ? PauseReason.BRAKE : PauseReason.BACK_PRESSURE;
    }
}
