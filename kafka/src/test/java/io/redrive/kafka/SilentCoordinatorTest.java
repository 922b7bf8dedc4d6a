package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Adoptions;
import io.redrive.events.InMemoryEventStore;
import io.redrive.testkit.ForwardingStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A process that gets records, and no answers to its commits. */
final class SilentCoordinatorTest {

    private static final Duration SESSION = Duration.ofSeconds(45);

    private final ManualTime time = new ManualTime();
    private final Random random = new Random(1);
    private final GroupLedger ledger = new GroupLedger();
    private final SimulatedGroup group = new SimulatedGroup(random, ledger, false);

    @Test
    void a_process_whose_commits_are_not_acknowledged_for_a_session_begins_no_record() {
        group.addPartition();
        group.append(5);
        SimulatedMember member = member();
        handleAll(member);
        member.consumer.isCutOff = true;
        group.append(5);
        handleAll(member);
        time.advance(SESSION.plusSeconds(1));
        group.append(5);
        member.poll();
        member.exchange(List.of());
        assertThat(member.held).as("claims without an acknowledged commit").isEmpty();
        member.consumer.isCutOff = false;
        for (int turn = 0; turn < 5 && member.held.isEmpty(); turn++) {
            time.advance(Commits.INTERVAL);
            member.poll();
            member.exchange(List.of());
        }
        assertThat(member.held).as("claims after an acknowledged commit").isNotEmpty();
    }

    private void handleAll(SimulatedMember member) {
        for (int turn = 0; turn < 10; turn++) {
            time.advance(Commits.INTERVAL);
            member.poll();
            member.exchange(List.of());
            while (!member.held.isEmpty()) {
                member.handle(true);
            }
        }
    }

    private SimulatedMember member() {
        FlowSettings settings = new FlowSettings(
                "billing",
                List.of(SimulatedGroup.TOPIC),
                Optional.empty(),
                Optional.empty(),
                RecordMapping.standard(),
                false,
                Duration.ofSeconds(2),
                100,
                1 << 20,
                100,
                1_000,
                Map.of("bootstrap.servers", "simulated"),
                SESSION);
        return new SimulatedMember(
                "process-1",
                new SharedMemory(),
                settings,
                random,
                time,
                ledger,
                () -> new SimulatedConsumer(group, "process-1", random, ledger));
    }

    /** A store in memory that says that other machines share it. */
    private static final class SharedMemory extends ForwardingStore {

        private final Adoptions target;

        SharedMemory() {
            this(new InMemoryEventStore());
        }

        private SharedMemory(InMemoryEventStore memory) {
            super(memory);
            target = memory.adoptions();
        }

        @Override
        public Adoptions adoptions() {
            return (Adoptions) Proxy.newProxyInstance(
                    Adoptions.class.getClassLoader(),
                    new Class<?>[] {Adoptions.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("isShared") ? true : method.invoke(target, arguments));
        }
    }
}
