package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.events.NamePattern;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Why a partition is paused, and which topics a report has. */
final class FlowReportIT {

    private static final int MOST = 20;

    private static Optional<PauseReason> pause(FlowRig.Member member) {
        return member.flow().flow().stream()
                .flatMap(report -> report.partitions().stream())
                .findFirst()
                .flatMap(PartitionReport::pause);
    }

    private static void send(FlowRig rig, int records) {
        IntStream.range(0, records).forEach(number -> rig.send(0, "k" + number, "v" + number));
        rig.broker.flush();
    }

    @Test
    void slow_handlers_pause_a_partition_whose_lag_still_grows_in_the_report() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            CountDownLatch opened = new CountDownLatch(1);
            send(rig, 100);
            FlowRig.Member member = rig.start(
                    flow -> flow.maxRecords(MOST).client("max.poll.records", 10),
                    pipeline -> pipeline.on("order.paid", event -> opened.await()));
            FlowRig.until(() -> pause(member).equals(Optional.of(PauseReason.BACK_PRESSURE)));
            send(rig, 400);
            FlowRig.until(() -> member.flow().partitions().get(0).lag() == 500);
            opened.countDown();
            rig.awaitNoLag();
            FlowRig.until(() ->
                    pause(member).isEmpty() && member.flow().partitions().get(0).lag() == 0);
        }
    }

    @Test
    void a_paused_name_is_told_as_the_reason() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            HandPauses pauses = new HandPauses(rig.store.notes());
            NamePattern name = new NamePattern("order.paid");
            pauses.pause(new NamePause.ByHand(name, "ann", "outage", Instant.now(), Optional.empty()));
            send(rig, 100);
            FlowRig.Member member = rig.start(
                    flow -> flow.maxRecords(MOST).client("max.poll.records", 10),
                    pipeline -> pipeline.on("order.paid", event -> {}));
            FlowRig.until(() -> pause(member).equals(Optional.of(PauseReason.PAUSED_NAME)));
            pauses.resume(name, Instant.now());
            rig.awaitNoLag();
            FlowRig.until(() -> pause(member).isEmpty());
        }
    }

    @Test
    void the_brake_is_told_as_the_reason() throws Exception {
        try (FlowRig rig = new FlowRig(1)) {
            send(rig, 100);
            FlowRig.Member member = rig.start(
                    flow -> flow.maxRecords(MOST).client("max.poll.records", 10).brake(1, 3),
                    pipeline -> pipeline.policies(FlowRig.retryAfter(Duration.ofMinutes(5)))
                            .on("order.paid", event -> {
                                throw new IOException("down");
                            }));
            FlowRig.until(() -> pause(member).equals(Optional.of(PauseReason.BRAKE)));
            FlowReport report = member.flow().flow().orElseThrow();
            assertThat(report.brake().isOn()).isTrue();
            assertThat(report.brake().maxWaiting()).isEqualTo(3);
            assertThat(report.topics().get(0).held()).isPositive();
        }
    }

    @Test
    void a_pattern_reports_each_topic_by_its_own_name() throws Exception {
        try (FlowRig rig = new FlowRig(1);
                FlowRig other = new FlowRig(2)) {
            rig.send(0, "a", "b");
            other.send(1, "a", "b");
            FlowRig.Member member = rig.start(
                    flow -> flow.topics()
                            .topicPattern(rig.topic + "|" + other.topic)
                            .mapping(RecordMapping.standard()),
                    pipeline -> pipeline.on(rig.topic, event -> {}).on(other.topic, event -> {}));
            FlowRig.until(() -> member.flow().flow().stream()
                            .flatMap(report -> report.topics().stream())
                            .filter(topic -> topic.lag() == 0 && topic.names().size() == 1)
                            .mapToInt(TopicReport::partitions)
                            .sum()
                    == 3);
            FlowReport report = member.flow().flow().orElseThrow();
            assertThat(report.sources()).isEqualTo("that match " + rig.topic + "|" + other.topic);
            assertThat(report.topics())
                    .extracting(TopicReport::topic, TopicReport::partitions)
                    .containsExactlyInAnyOrder(tuple(rig.topic, 1), tuple(other.topic, 2));
        }
    }
}
