package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.jdbc.PostgresCallMark.Scan;
import io.redrive.jdbc.PostgresCallMark.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

final class PostgresCallMarkTest {

    private static final long ALL = Long.MAX_VALUE;
    private static final long NONE = Long.MIN_VALUE;

    private final PostgresCallMark mark = new PostgresCallMark();

    @Test
    void an_id_is_certain_once_every_transaction_is_over_that_ran_when_it_was_answered() {
        scan(90, 7, 0);
        scan(90, NONE, 100);
        assertThat(certain()).as("6 may still be committed").isEqualTo(NONE);
        scan(99, 12, 0);
        assertThat(certain()).as("by transaction 99").isEqualTo(NONE);
        scan(100, NONE, 0);
        assertThat(certain()).isEqualTo(7);
    }

    @Test
    void a_number_is_needed_only_while_an_answered_id_has_none() {
        assertThat(mark.start().needsNumber()).isFalse();
        scan(90, 7, 0);
        assertThat(mark.start().needsNumber()).isTrue();
        scan(90, NONE, 100);
        assertThat(mark.start().needsNumber()).isFalse();
        scan(100, NONE, 0);
        assertThat(mark.start().needsNumber()).as("nothing was answered since").isFalse();
    }

    @Test
    void an_exchange_that_began_before_the_answer_gives_it_no_number() {
        Start early = mark.start();
        scan(90, 7, 0);
        mark.scanned(early, new Scan(ALL, NONE, 90, 95));
        scan(200, NONE, 300);
        assertThat(certain()).isEqualTo(NONE);
        scan(300, NONE, 0);
        assertThat(certain()).isEqualTo(7);
    }

    @Test
    void the_next_candidate_is_taken_when_the_former_is_certain() {
        scan(90, 7, 0);
        scan(90, 9, 100);
        scan(100, 12, 0);
        assertThat(certain()).isEqualTo(7);
        scan(110, NONE, 130);
        scan(129, NONE, 0);
        assertThat(certain()).isEqualTo(7);
        scan(130, NONE, 0);
        assertThat(certain()).isEqualTo(12);
    }

    @Test
    void a_scan_that_did_not_get_as_far_makes_nothing_certain() {
        scan(90, 7, 0);
        scan(90, NONE, 100);
        mark.scanned(mark.start(), new Scan(6, 6, 100, 0));
        assertThat(certain()).isEqualTo(NONE);
        mark.scanned(mark.start(), new Scan(7, 7, 100, 0));
        assertThat(certain()).isEqualTo(7);
    }

    @Test
    void a_scan_from_an_older_mark_is_no_proof() {
        Start old = mark.start();
        scan(90, 7, 0);
        scan(90, 12, 100);
        scan(100, NONE, 0);
        scan(110, NONE, 130);
        mark.scanned(old, new Scan(ALL, NONE, 130, 0));
        assertThat(certain()).isEqualTo(7);
    }

    @Test
    void a_forgotten_mark_must_be_proved_anew() {
        scan(90, 7, 0);
        scan(90, 12, 100);
        mark.forget();
        scan(200, NONE, 201);
        assertThat(certain()).isEqualTo(NONE);
    }

    /**
     * A simulated server: transactions take numbers and ids in turn, and a call becomes visible at the end of its
     * transaction.
     */
    @Test
    void no_call_ever_appears_at_the_mark_or_below() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        Server server = new Server();
        long certainInTheEnd = NONE;
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> server.begin();
                case 1 -> server.call(random);
                case 2 -> server.end(random);
                default -> {
                    Start start = mark.start();
                    mark.scanned(start, server.exchange(start, random.nextInt(1, 4)));
                    certainInTheEnd = mark.start().certain();
                }
            }
            assertThat(server.lowestCall()).as("seed %d, step %d", seed, step).isGreaterThan(certainInTheEnd);
        }
        assertThat(certainInTheEnd).as("the mark moves, seed %d", seed).isPositive();
    }

    private static final class Server {
        private final TreeMap<Long, List<Long>> running = new TreeMap<>();
        private final TreeSet<Long> calls = new TreeSet<>();
        private long numbers = 3;
        private long ids;

        void begin() {
            running.put(numbers++, new ArrayList<>());
        }

        void call(RandomGenerator random) {
            if (!running.isEmpty()) {
                one(random).add(++ids);
            }
        }

        void end(RandomGenerator random) {
            if (!running.isEmpty()) {
                List<Long> own = one(random);
                running.values().removeIf(ids -> ids == own);
                calls.addAll(own);
            }
        }

        private List<Long> one(RandomGenerator random) {
            return new ArrayList<>(running.values()).get(random.nextInt(running.size()));
        }

        Scan exchange(Start start, int limit) {
            long oldest = running.isEmpty() ? numbers : running.firstKey();
            long number = start.needsNumber() ? numbers++ : 0;
            List<Long> found =
                    calls.tailSet(start.certain(), false).stream().limit(limit).toList();
            calls.removeAll(found);
            long highest = found.isEmpty() ? NONE : found.get(found.size() - 1);
            return new Scan(found.size() < limit ? ALL : highest, highest, oldest, number);
        }

        /** The lowest visible call. */
        long lowestCall() {
            return calls.isEmpty() ? ALL : calls.first();
        }
    }

    private void scan(long oldestWriter, long highest, long number) {
        mark.scanned(mark.start(), new Scan(ALL, highest, oldestWriter, number));
    }

    private long certain() {
        return mark.start().certain();
    }
}
