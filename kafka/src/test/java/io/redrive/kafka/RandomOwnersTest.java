package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.ClaimFilter;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many owners of one partition, in random order: deliveries with gaps, records that finish, wait or go to the store, commits
 * that get lost, metadata that is cut. A commit never skips an unfinished record, and never forgets what an earlier commit
 * knew as finished.
 */
final class RandomOwnersTest {

    private static final int RUNS = 300;
    private static final int STEPS = 400;

    static List<Long> seeds() {
        String given = System.getProperty("redrive.seed");
        if (given != null) {
            return List.of(Long.parseLong(given));
        }
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= RUNS; seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest(name = "-Dredrive.seed={0}")
    @MethodSource("seeds")
    void commits_skip_nothing_and_forget_nothing(long seed) {
        Partition partition = new Partition(new Random(seed));
        for (int step = 0; step < STEPS; step++) {
            partition.step();
        }
        partition.drain();
    }

    /** A partition of the broker, the store's adopted offsets, and the present owner. */
    private static final class Partition {

        private final Random random;
        private final ManualTime time = new ManualTime();
        private final TreeSet<Long> log = new TreeSet<>();
        /** What is finished in truth. */
        private final Set<Long> finished = new HashSet<>();

        private final Set<Long> adopted = new HashSet<>();
        private final boolean keyed;
        private long committed;
        private String metadata = "";
        private boolean cut;

        private PartitionBook book = new PartitionBook(Progress.at(0), List.of(), List.of());
        private final List<BookedRecord> claimed = new ArrayList<>();
        private final Map<String, Long> lastOfKey = new HashMap<>();
        private Set<Long> knownToOwner = Set.of();
        private long position;

        Partition(Random random) {
            this.random = random;
            keyed = random.nextBoolean();
            long offset = random.nextInt(5);
            for (int i = 0; i < 300; i++) {
                log.add(offset);
                offset += random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 1;
            }
        }

        void step() {
            int choice = random.nextInt(100);
            if (choice < 30) {
                deliver();
            } else if (choice < 55) {
                claim();
            } else if (choice < 85) {
                settle();
            } else if (choice < 90) {
                time.advance(Duration.ofSeconds(1));
                book.wakeHeld(time.now());
            } else if (choice < 97) {
                commit(random.nextInt(4) > 0);
            } else {
                takeOver();
            }
        }

        private void deliver() {
            for (int i = random.nextInt(12); i > 0; i--) {
                Long next = log.ceiling(position);
                if (next == null) {
                    book.reached(log.last() + 3);
                    return;
                }
                book.deliver(next, event(next), null);
                position = next + 1;
            }
        }

        private Event event(long offset) {
            return Event.named("order.paid")
                    .source("test")
                    .id("at-" + offset)
                    .orderingKey(keyed ? "k" + offset % 5 : null)
                    .time(time)
                    .build();
        }

        private void claim() {
            for (BookedRecord record :
                    book.claim(Lane.DOMAIN, ClaimFilter.ALL, 1 + random.nextInt(8), Long.MAX_VALUE)) {
                assertThat(knownToOwner).as("finished before this owner began").doesNotContain(record.offset);
                if (keyed) {
                    assertThat(claimed)
                            .extracting(BookedRecord::key)
                            .as("one record of a key at a time")
                            .doesNotContain(record.key());
                }
                claimed.add(record);
            }
        }

        private void settle() {
            if (claimed.isEmpty()) {
                return;
            }
            BookedRecord record = claimed.remove(random.nextInt(claimed.size()));
            int choice = random.nextInt(10);
            if (choice < 2) {
                book.hold(record, time.now().plusSeconds(random.nextInt(3)));
            } else if (choice < 3) {
                book.giveBack(record);
            } else {
                if (choice < 5) {
                    adopted.add(record.offset);
                }
                if (keyed && !finished.contains(record.offset)) {
                    Long before = lastOfKey.put(record.key(), record.offset);
                    assertThat(before == null || before < record.offset)
                            .as("order of key " + record.key())
                            .isTrue();
                }
                finished.add(record.offset);
                book.finish(record);
            }
        }

        private void commit(boolean arrives) {
            Progress progress = book.progress();
            assertSkipsNothing(progress);
            String text = progress.metadata();
            assertThat(text.length()).isLessThanOrEqualTo(Progress.MAX_METADATA);
            if (!arrives) {
                return;
            }
            if (!cut) {
                Progress before = Progress.read(committed, metadata);
                assertThat(progress.watermark()).isGreaterThanOrEqualTo(before.watermark());
                for (long offset : before.finished()) {
                    assertThat(offset < progress.watermark()
                                    || progress.finished().contains(offset))
                            .as("offset " + offset + " was finished before")
                            .isTrue();
                }
            }
            committed = progress.watermark();
            cut = random.nextInt(20) == 0;
            metadata = cut ? text.substring(0, random.nextInt(text.length())) : text;
        }

        private void assertSkipsNothing(Progress progress) {
            for (long offset : log.headSet(progress.watermark())) {
                assertThat(finished)
                        .as("below the watermark " + progress.watermark())
                        .contains(offset);
            }
            for (long offset : progress.finished()) {
                assertThat(finished).contains(offset);
            }
        }

        private void takeOver() {
            Progress from = Progress.read(committed, metadata);
            Set<Long> known = new HashSet<>(from.finished());
            known.addAll(adopted);
            log.headSet(committed).forEach(known::add);
            knownToOwner = known;
            book = new PartitionBook(
                    from, adopted.stream().filter(offset -> offset >= committed).toList(), List.of());
            claimed.clear();
            position = committed;
        }

        void drain() {
            for (int round = 0; round < 10_000 && book.progress().watermark() <= log.last(); round++) {
                deliver();
                time.advance(Duration.ofSeconds(3));
                book.wakeHeld(time.now());
                claim();
                while (!claimed.isEmpty()) {
                    settle();
                }
            }
            commit(true);
            assertThat(finished).containsAll(log);
            assertThat(committed).isGreaterThan(log.last());
            assertThat(book.open()).isZero();
        }
    }
}
