package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoresTest {

    private static final Duration LONG = Chores.SLICE.multipliedBy(4);

    private final ManualTime time = new ManualTime();
    private final List<String> done = new ArrayList<>();
    private int woken;

    /** A chore that takes a while. */
    private Chore chore(String name, Duration takes) {
        return now -> {
            time.advance(takes);
            done.add(name);
            return false;
        };
    }

    private Chores chores(Chore... all) {
        return new Chores(List.of(all), time);
    }

    private boolean run(Chores chores, boolean eventsMove) {
        return chores.run(time.now(), eventsMove, () -> woken++);
    }

    private static void assertWaits(Chores chores, ManualTime time, Duration wait) {
        assertThat(chores.next()).isEqualTo(time.now().plus(wait));
    }

    @Test
    void quick_chores_all_run_in_one_step() {
        Chores chores = chores(chore("a", Duration.ZERO), chore("b", Duration.ZERO), chore("c", Duration.ZERO));
        run(chores, false);
        assertThat(done).containsExactly("a", "b", "c");
        assertThat(chores.next()).as("no chore wants another step").isEqualTo(Instant.MAX);
    }

    @Test
    void after_a_long_chore_the_others_follow_in_the_next_step_which_comes_at_once() {
        Chores chores = chores(chore("a", LONG), chore("b", LONG), chore("c", Duration.ZERO));
        run(chores, false);
        assertThat(done).containsExactly("a");
        assertWaits(chores, time, Duration.ZERO);
        run(chores, false);
        run(chores, false);
        run(chores, false);
        assertThat(done).containsExactly("a", "b", "c", "a");
    }

    @Test
    void while_events_move_chores_take_a_tenth_of_the_time() {
        Chores chores = chores(chore("a", LONG), chore("b", LONG));
        run(chores, false);
        assertWaits(chores, time, Duration.ZERO);
        run(chores, true);
        assertThat(done).as("the pause has just begun").containsExactly("a");
        assertWaits(chores, time, LONG.multipliedBy(9));
        time.advance(LONG.multipliedBy(9).minusNanos(1));
        run(chores, true);
        assertThat(done).containsExactly("a");
        time.advance(Duration.ofNanos(1));
        run(chores, true);
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void a_pause_ends_when_no_event_moves() {
        Chores chores = chores(chore("a", LONG), chore("b", LONG));
        run(chores, false);
        run(chores, true);
        run(chores, false);
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void no_pause_is_longer_than_the_limit_however_slow_the_store_is() {
        Chores chores = chores(chore("a", Duration.ofSeconds(10)), chore("b", LONG));
        run(chores, false);
        run(chores, true);
        assertWaits(chores, time, Chores.LONGEST_PAUSE);
        time.advance(Chores.LONGEST_PAUSE);
        run(chores, true);
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void the_first_chores_of_a_pipeline_that_starts_with_events_come_after_a_pause() {
        Chores chores = chores(chore("a", LONG));
        run(chores, true);
        assertThat(done).isEmpty();
        assertWaits(chores, time, Chores.LONGEST_PAUSE);
        time.advance(Chores.LONGEST_PAUSE);
        run(chores, true);
        assertThat(done).containsExactly("a");
    }

    @Test
    void a_chore_that_fails_holds_up_no_other() {
        Chores chores = chores(
                now -> {
                    throw new IllegalStateException("store is down");
                },
                chore("b", Duration.ZERO));
        assertThatThrownBy(() -> run(chores, false)).hasMessage("store is down");
        assertThat(done).containsExactly("b");
    }

    @Test
    void a_chore_that_made_events_ready_wakes_the_claimer() {
        assertThat(run(chores(now -> true), false)).isTrue();
        assertThat(woken).isEqualTo(1);
        assertThat(run(chores(now -> false), false)).isFalse();
        assertThat(woken).isEqualTo(1);
    }

    @Test
    void the_next_step_comes_when_the_most_urgent_chore_wants_it() {
        Instant soon = time.now().plusSeconds(3);
        Chores chores = chores(wanting(soon.plusSeconds(1)), wanting(soon));
        run(chores, false);
        assertThat(chores.next()).isEqualTo(soon);
    }

    private static Chore wanting(Instant next) {
        return new Chore() {
            @Override
            public boolean work(Instant now) {
                return false;
            }

            @Override
            public Instant next() {
                return next;
            }
        };
    }
}
