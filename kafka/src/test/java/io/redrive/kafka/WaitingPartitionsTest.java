package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import io.redrive.events.StoreException;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.testkit.ForwardingStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Partitions that the group gave to a process, and that the process could not take over. */
final class WaitingPartitionsTest {

    private final ManualTime time = new ManualTime();
    private final Random random = new Random(1);
    private final GroupLedger ledger = new GroupLedger();
    private final SimulatedGroup group = new SimulatedGroup(random, ledger, false);
    private final FlowSettings settings = TestSettings.with(RecordMapping.standard());
    private boolean isDown;
    private final EventStore store = new ForwardingStore(FlowRig.shared()) {
        @Override
        protected <T> T forward(String call, Supplier<T> action) {
            if (isDown && call.equals("take over")) {
                throw new StoreException("no connection", null);
            }
            return action.get();
        }
    };

    private final SimulatedMember member = new SimulatedMember(
            "process-1",
            store,
            settings,
            random,
            time,
            ledger,
            () -> new SimulatedConsumer(group, "process-1", random, ledger));

    private FlowReport report() {
        RowBrake brake = new RowBrake(store, 1, 1);
        return new FlowReporter(
                        settings,
                        member.partitions,
                        brake,
                        new FlowExchange(store, member.partitions, brake, settings),
                        new TopicNames(),
                        time.now())
                .report()
                .orElseThrow();
    }

    @Test
    void a_partition_that_waits_for_the_store_is_reported_with_its_lag_and_the_reason() {
        group.addPartition();
        group.append(5);
        isDown = true;
        member.poll();
        assertThat(report().partitions())
                .extracting(PartitionReport::pause)
                .containsExactly(Optional.of(PauseReason.STORE));
        assertThat(report().topics().get(0).lag())
                .isEqualTo(group.end(group.partitions().get(0)));

        isDown = false;
        time.advance(Duration.ofSeconds(1));
        member.poll();
        assertThat(report().partitions()).extracting(PartitionReport::pause).containsExactly(Optional.empty());
    }
}
