package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Records that a topic deleted before they were handled, and offsets that a broker forgot. */
final class LostRecordsTest {

    private final ManualTime time = new ManualTime();
    private final Random random = new Random(1);
    private final GroupLedger ledger = new GroupLedger();
    private final SimulatedGroup group = new SimulatedGroup(random, ledger, false);
    private final EventStore store = FlowRig.shared();

    private SimulatedMember member(String name) {
        return new SimulatedMember(
                name,
                store,
                TestSettings.with(RecordMapping.standard()),
                random,
                time,
                ledger,
                () -> new SimulatedConsumer(group, name, random, ledger));
    }

    private TopicPartition partition() {
        if (group.partitions().isEmpty()) {
            group.addPartition();
        }
        return group.partitions().get(0);
    }

    private void handleAll(SimulatedMember member) {
        for (int turn = 0; turn < 20; turn++) {
            time.advance(Commits.INTERVAL);
            member.poll();
            member.exchange(List.of());
            while (!member.held.isEmpty()) {
                member.handle(true);
            }
        }
    }

    @Test
    void records_deleted_while_no_process_ran_are_told_with_their_number_and_the_remedy() {
        TopicPartition partition = partition();
        SimulatedMember first = member("process-1");
        group.append(5);
        handleAll(first);
        first.stop();
        long handled = group.end(partition);
        group.append(100);
        group.deleteBelow(partition, handled + 50);
        List<String> lines = LogLines.of(LostRecords.class, () -> handleAll(member("process-2")));
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("records of partition orders-0 are lost", "from offset " + handled + " on")
                .contains("the log begins at offset " + (handled + 50), "retention.ms");
    }

    @Test
    void records_deleted_while_a_process_is_behind_are_told() {
        TopicPartition partition = partition();
        SimulatedMember member = member("process-1");
        group.append(5);
        handleAll(member);
        long handled = group.end(partition);
        group.append(100);
        group.deleteBelow(partition, handled + 50);
        time.advance(Duration.ofMinutes(1));
        List<String> lines = LogLines.of(LostRecords.class, () -> handleAll(member));
        assertThat(lines).singleElement().asString().contains("are lost", "from offset " + handled + " on");
    }

    /** The simulated log has many gaps. */
    @Test
    void gaps_of_compaction_and_transactions_are_no_lost_records() {
        partition();
        SimulatedMember member = member("process-1");
        List<String> lines = LogLines.of(LostRecords.class, () -> {
            for (int round = 0; round < 10; round++) {
                group.append(20);
                handleAll(member);
                time.advance(Duration.ofMinutes(1));
            }
        });
        assertThat(lines).isEmpty();
    }

    @Test
    void a_group_whose_offsets_are_gone_says_that_records_are_handled_again() {
        TopicPartition partition = partition();
        SimulatedMember first = member("process-1");
        group.append(5);
        assertThat(LogLines.of(LostRecords.class, () -> handleAll(first))).isEmpty();
        first.stop();
        group.expire(partition);
        List<String> lines =
                LogLines.of(LostRecords.class, () -> member("process-2").poll());
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("group billing has read partition orders-0 before and has no offset for it any more")
                .contains("starts at offset 0 (auto.offset.reset=earliest)", "offsets.retention.minutes");
    }
}
