package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.Adoptions;
import io.redrive.events.Bookmark;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LeaseHolders;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import io.redrive.events.StoreStats;
import io.redrive.testkit.ForwardingStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of a consumer group on one thread: members start, stop, die and hang, partitions move, commits get lost, the
 * store fails, an operator sets offsets back. In some lives a record ends each process that handles it. {@link GroupLedger} has the
 * rules. A seed always produces the same history.
 */
final class GroupSimulationTest {

    private static final int STEPS = 300;
    private static final int STORY = 60;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    static LongStream seeds() {
        Long given = Long.getLong("redrive.seed");
        return given != null ? LongStream.of(given) : LongStream.rangeClosed(1, Long.getLong("redrive.seeds", 400));
    }

    @ParameterizedTest(name = "-Dredrive.seed={0}")
    @MethodSource("seeds")
    void a_group_loses_nothing_forgets_nothing_and_keeps_order(long seed) {
        // The first numbers of generators with small seeds are alike.
        Life life = new Life(new Random(seed * SPREAD));
        try {
            for (int step = 0; step < STEPS; step++) {
                life.step();
            }
            life.end();
        } catch (AssertionError | RuntimeException e) {
            List<String> story = life.ledger.story;
            throw new AssertionError(
                    String.join("\n", story.subList(Math.max(0, story.size() - STORY), story.size())), e);
        }
    }

    private static final class Life {

        private final Random random;
        private final ManualTime time = new ManualTime();
        private final GroupLedger ledger = new GroupLedger();
        private final InMemoryEventStore memory = new InMemoryEventStore();
        private final EventStore store = new WatchedStore();
        private final FlowSettings settings;
        private final boolean isOrdered;
        private final SimulatedGroup group;
        private final List<SimulatedMember> living = new ArrayList<>();
        private final List<SimulatedMember> hanging = new ArrayList<>();
        private final boolean hasPoison;
        private Optional<SimulatedMember> exchanging = Optional.empty();
        private boolean isTroubled;
        private int started;

        Life(Random random) {
            this.random = random;
            isOrdered = random.nextBoolean();
            hasPoison = random.nextInt(4) == 0;
            isTroubled = !hasPoison && random.nextInt(3) > 0;
            ledger.isCalm = !isTroubled;
            settings = new FlowSettings(
                    "billing",
                    List.of(SimulatedGroup.TOPIC),
                    Optional.empty(),
                    Optional.empty(),
                    RecordMapping.standard(),
                    isOrdered,
                    Duration.ofSeconds(2),
                    4 + random.nextInt(20),
                    1 << 20,
                    1 + random.nextInt(200),
                    1_000,
                    Map.of("bootstrap.servers", "simulated"),
                    Duration.ofSeconds(45));
            group = new SimulatedGroup(random, ledger, isOrdered);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                group.addPartition();
            }
            group.append(20);
            if (hasPoison) {
                group.poison();
            }
            start();
        }

        private void start() {
            String name = "process-" + ++started;
            ledger.tell(name + " starts");
            living.add(new SimulatedMember(name, store, settings, random, time, ledger, () -> {
                SimulatedConsumer consumer = new SimulatedConsumer(group, name, random, ledger);
                consumer.isTroubled = isTroubled;
                return consumer;
            }));
        }

        void step() {
            int choice = random.nextInt(1_000);
            if (choice < 30) {
                group.append(random.nextInt(12));
            } else if (choice < 33 && group.partitions().size() < 4) {
                group.addPartition();
            } else if (choice < 100) {
                time.advance(Duration.ofMillis(random.nextInt(3_000)));
                living.forEach(member -> member.extend(memory));
                recover();
            } else if (choice < 130) {
                changeMembers();
            } else if (!living.isEmpty()) {
                SimulatedMember member = living.get(random.nextInt(living.size()));
                if (choice < 400) {
                    member.poll();
                } else if (choice < 650) {
                    exchanging = Optional.of(member);
                    member.exchange(claimsOfOthers(member));
                    exchanging = Optional.empty();
                } else if (!member.handle(false)) {
                    die(member);
                }
                time.advance(Duration.ofMillis(20));
            }
        }

        private void recover() {
            Set<String> alive = living.stream().map(member -> member.name).collect(Collectors.toSet());
            memory.recover(time.now(), hasPoison ? new LeaseHolders(alive, Set.of()) : LeaseHolders.ALL_GONE);
        }

        private List<Claim> claimsOfOthers(SimulatedMember member) {
            List<Claim> claims = new ArrayList<>();
            for (SimulatedMember other : living) {
                if (other != member) {
                    other.held.stream().filter(other::isCurrent).forEach(claims::add);
                }
            }
            return claims;
        }

        private void changeMembers() {
            // Where a record ends processes, all other processes end in good order.
            int choice = random.nextInt(hasPoison ? 3 : 6);
            if (choice < 2 && living.size() < 3 || living.isEmpty()) {
                resetNowAndThen();
                start();
            } else if (choice < 3) {
                SimulatedMember stopping = living.remove(random.nextInt(living.size()));
                ledger.tell(stopping.name + " stops");
                stopping.stop();
            } else if (choice < 4) {
                SimulatedMember dying = living.get(random.nextInt(living.size()));
                ledger.tell(dying.name + " dies");
                die(dying);
            } else if (choice < 5) {
                SimulatedMember silent = living.remove(random.nextInt(living.size()));
                ledger.tell(silent.name + " hangs");
                endsUncleanly(silent);
                group.expel(silent.consumer);
                hanging.add(silent);
                time.advance(settings.session().plusMillis(1));
            } else if (!hanging.isEmpty()) {
                SimulatedMember back = hanging.remove(0);
                ledger.tell(back.name + " goes on");
                for (int i = 0; i < 6; i++) {
                    back.handle(false);
                }
                back.exchange(List.of());
                back.poll();
                ledger.lost(back.held);
                back.held.clear();
                living.add(back);
            }
        }

        private void die(SimulatedMember member) {
            living.remove(member);
            endsUncleanly(member);
            member.crash();
            group.expel(member.consumer);
        }

        private void endsUncleanly(SimulatedMember member) {
            ledger.endedUncleanly(member.consumer.assignment(), member.claims());
        }

        private void resetNowAndThen() {
            if (!isOrdered && living.isEmpty() && random.nextInt(3) == 0) {
                TopicPartition partition = group.partitions().get(0);
                long committed =
                        group.committed(partition).map(at -> at.offset()).orElse(0L);
                group.reset(partition, Math.max(0, committed - random.nextInt(10)));
            }
        }

        void end() {
            isTroubled = false;
            hanging.clear();
            living.forEach(SimulatedMember::stop);
            living.clear();
            start();
            SimulatedMember last = living.get(0);
            for (int round = 0; round < 5_000 && !isFinished(last); round++) {
                last.poll();
                last.exchange(List.of());
                while (last.canHandle()) {
                    if (!last.handle(true)) {
                        die(last);
                        start();
                        last = living.get(0);
                    }
                }
                time.advance(Duration.ofSeconds(1));
                recover();
            }
            assertThat(group.hasLag()).as("lag at the end").isFalse();
            ledger.checkEnd();
            assertThat(memory.stats(time.now()).dead()).as("letters").isEqualTo(ledger.letters());
        }

        private boolean isFinished(SimulatedMember last) {
            StoreStats stats = memory.stats(time.now());
            return !group.hasLag() && last.isIdle() && stats.ready() + stats.delayed() + stats.claimed() == 0;
        }

        /** The store in memory, which tells the ledger of adoptions, and fails before or after an effect. */
        private final class WatchedStore extends ForwardingStore {

            WatchedStore() {
                super(memory);
            }

            @Override
            protected <T> T forward(String call, Supplier<T> action) {
                return troubled(action);
            }

            private <T> T troubled(Supplier<T> action) {
                boolean fails = isTroubled && random.nextInt(25) == 0;
                if (fails && random.nextBoolean()) {
                    throw new StoreException("the store failed before the effect");
                }
                T answer = action.get();
                if (fails) {
                    throw new StoreException("the answer of the store was lost");
                }
                return answer;
            }

            @Override
            public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
                return troubled(() -> {
                    Exchange answer = memory.exchange(settlements, requests, now);
                    settlements.stream()
                            .filter(each -> each instanceof Settlement.Dead)
                            .map(Settlement::claim)
                            .filter(claim -> !answer.stale().contains(claim))
                            .forEach(ledger::dead);
                    return answer;
                });
            }

            @Override
            public Adoptions adoptions() {
                Adoptions target = memory.adoptions();
                return (Adoptions) Proxy.newProxyInstance(
                        Adoptions.class.getClassLoader(),
                        new Class<?>[] {Adoptions.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("isShared")) {
                                return true;
                            }
                            if (method.isDefault()) {
                                return InvocationHandler.invokeDefault(proxy, method, arguments);
                            }
                            if (method.getName().equals("adopt")) {
                                pollMeanwhile();
                            }
                            return troubled(() -> watched(target, method, arguments));
                        });
            }

            /** The intake has a thread of its own: it goes on while an exchange waits for the store. */
            private void pollMeanwhile() {
                Optional<SimulatedMember> member = exchanging;
                exchanging = Optional.empty();
                if (random.nextInt(3) == 0) {
                    member.ifPresent(SimulatedMember::poll);
                }
            }

            @SuppressWarnings("unchecked")
            private Object watched(Adoptions target, java.lang.reflect.Method method, Object[] arguments) {
                try {
                    Object answer = method.invoke(target, arguments);
                    if (answer instanceof AdoptionResult.Adopted fresh) {
                        String[] parts = ((Bookmark) arguments[0]).name().split("/");
                        TopicPartition partition = new TopicPartition(parts[1], Integer.parseInt(parts[2]));
                        ledger.adopted(partition, (Collection<Adoption>) arguments[1], fresh.places());
                    }
                    return answer;
                } catch (InvocationTargetException | IllegalAccessException e) {
                    throw new StoreException("the call failed", e);
                }
            }
        }
    }
}
