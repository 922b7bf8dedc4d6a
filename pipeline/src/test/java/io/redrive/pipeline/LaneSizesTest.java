package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Lane;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Sizes of claims follow the load, within the bounds of the profile. */
class LaneSizesTest {

    private static final int LEAST = Profile.STANDARD.capacity(Lane.DOMAIN);
    private static final int MOST = Profile.STANDARD.mostHeld(Lane.DOMAIN);

    private final LaneSizes sizes = new LaneSizes(Lane.DOMAIN, Profile.STANDARD);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** Handlers end claims of {@code bytes} each, and have work all the time. */
    private void window(int ended, int bytes) {
        workFor(LaneSizes.WINDOW, ended, bytes);
    }

    private void window(int ended) {
        window(ended, 300);
    }

    private void workFor(Duration time, int ended, int bytes) {
        for (int i = 0; i < ended; i++) {
            sizes.claimed(bytes);
        }
        sizes.look(now);
        for (int i = 0; i < ended; i++) {
            sizes.ended();
        }
        now = now.plus(time);
        sizes.look(now);
    }

    private void windows(int count, int ended) {
        sizes.look(now);
        for (int i = 0; i < count; i++) {
            window(ended);
        }
    }

    @Test
    void begins_with_the_numbers_of_the_profile() {
        assertThat(sizes.held()).isEqualTo(200).isEqualTo(LEAST);
        assertThat(sizes.claimSize()).isEqualTo(50);
        assertThat(sizes.refillAt()).isEqualTo(50);
    }

    @Test
    void quick_handlers_make_the_sizes_grow_to_the_claims_of_a_tenth_of_a_second() {
        windows(20, 400);
        assertThat(sizes.held()).isEqualTo(800);
        assertThat(sizes.claimSize()).isEqualTo(200);
        assertThat(sizes.refillAt()).isEqualTo(200);
        assertThat(sizes.chosen().describe())
                .isEqualTo("lane domain: 800 claims (200 to 2000); as many as end within 100 ms;"
                        + " handlers ended 8000 events/s, one request asks for up to 200");
    }

    @Test
    void sizes_at_most_double_in_a_window_and_end_at_the_bound() {
        windows(1, 1_000_000);
        assertThat(sizes.held()).isEqualTo(2 * LEAST);
        windows(20, 1_000_000);
        assertThat(sizes.held()).isEqualTo(MOST).isEqualTo(2_000);
    }

    private void quickWindow(int ended) {
        workFor(LaneSizes.QUICK_WINDOW, ended, 300);
    }

    @Test
    void a_burst_makes_the_sizes_grow_within_a_window() {
        sizes.look(now);
        quickWindow(500);
        assertThat(sizes.held())
                .as("one quick window may be a batch that ended")
                .isEqualTo(LEAST);
        quickWindow(500);
        assertThat(sizes.held()).isEqualTo(2 * LEAST);
        quickWindow(500);
        quickWindow(500);
        assertThat(sizes.held()).isEqualTo(8 * LEAST);
        quickWindow(500);
        assertThat(sizes.held()).isEqualTo(MOST);
        assertThat(sizes.chosen().why()).startsWith("the most of the profile");
    }

    @Test
    void large_payloads_bound_a_burst_too() {
        sizes.look(now);
        for (int i = 0; i < 4; i++) {
            workFor(LaneSizes.QUICK_WINDOW, 500, 1024 * 1024);
        }
        assertThat(sizes.held()).isEqualTo(LEAST);
    }

    @Test
    void slow_batches_that_end_one_after_the_other_do_not_look_like_a_burst() {
        sizes.look(now);
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 25; k++) {
                sizes.claimed(300);
            }
            for (int k = 0; k < 4; k++) {
                sizes.look(now);
                now = now.plus(LaneSizes.QUICK_WINDOW);
            }
            for (int k = 0; k < 25; k++) {
                sizes.ended();
            }
            sizes.look(now);
        }
        assertThat(sizes.held()).isEqualTo(LEAST);
        assertThat(sizes.chosen().why()).startsWith("the least of the profile");
    }

    @Test
    void handlers_that_wait_for_claims_make_the_sizes_grow_as_if_they_always_had_work() {
        sizes.look(now);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 50; k++) {
                sizes.claimed(300);
            }
            sizes.look(now);
            for (int k = 0; k < 50; k++) {
                sizes.ended();
            }
            sizes.look(now.plusMillis(1));
            now = now.plus(LaneSizes.QUICK_WINDOW);
            sizes.look(now);
        }
        assertThat(sizes.held())
                .as("50 events of 1 ms of work in every 10 ms are 5,000 in 100 ms")
                .isEqualTo(MOST);
    }

    @Test
    void room_for_immediate_claims_leaves_the_last_quarter_to_the_store() {
        assertThat(sizes.forImmediateClaims()).isEqualTo(150);
        LaneSizes critical = new LaneSizes(Lane.CRITICAL, Profile.STANDARD);
        assertThat(critical.held()).isEqualTo(40);
        assertThat(critical.forImmediateClaims())
                .as("with so many held, the next request is worthwhile")
                .isEqualTo(critical.refillAt());
        assertThat(new LaneSizes(Lane.SUSPECT, Profile.STANDARD).forImmediateClaims())
                .isZero();
        windows(20, 1_000_000);
        assertThat(sizes.forImmediateClaims()).isEqualTo(1_500);
    }

    @Test
    void slow_handlers_keep_the_sizes_of_the_profile() {
        windows(100, 5);
        assertThat(sizes.held()).isEqualTo(LEAST);
    }

    @Test
    void handlers_that_become_slow_make_the_sizes_fall_by_half_in_each_window() {
        windows(20, 1_000_000);
        window(0);
        assertThat(sizes.held()).isEqualTo(MOST / 2);
        windows(10, 0);
        assertThat(sizes.held()).isEqualTo(LEAST);
    }

    @Test
    void large_payloads_bound_the_sizes() {
        sizes.look(now);
        for (int i = 0; i < 20; i++) {
            window(10_000, 1024 * 1024);
        }
        assertThat(sizes.held()).isEqualTo(LEAST);
        for (int i = 0; i < 20; i++) {
            window(10_000, 128 * 1024);
        }
        assertThat(sizes.held()).isEqualTo(512);
        assertThat(sizes.chosen().why()).startsWith("payloads of 131072 bytes fill 64 MiB");
    }

    @Test
    void a_profile_without_growth_keeps_its_sizes() {
        LaneSizes fixed = new LaneSizes(Lane.DOMAIN, Profile.STANDARD.withGrowth(1));
        fixed.look(now);
        for (int i = 0; i < 10_000; i++) {
            fixed.ended();
        }
        fixed.look(now.plusSeconds(1));
        assertThat(fixed.held()).isEqualTo(LEAST);
        assertThat(fixed.chosen().describe()).contains("(fixed); fixed by the profile");
    }

    @Test
    void suspects_stay_alone_under_any_load() {
        LaneSizes suspects = new LaneSizes(Lane.SUSPECT, Profile.STANDARD);
        suspects.look(now);
        for (int i = 0; i < 10_000; i++) {
            suspects.ended();
        }
        suspects.look(now.plus(LaneSizes.WINDOW));
        assertThat(suspects.held()).isEqualTo(1);
    }

    @Test
    void a_clock_that_was_set_back_changes_no_size_and_counts_again_from_there() {
        windows(20, 400);
        sizes.look(now.minusSeconds(3_600));
        assertThat(sizes.held()).isEqualTo(800);
        now = now.minusSeconds(3_600);
        window(400);
        assertThat(sizes.held()).isEqualTo(800);
    }

    @Test
    void claims_go_back_once_when_slow_handlers_have_held_too_many_for_a_second() {
        assertThat(sizes.exceeds(now, 2 * LEAST)).isFalse();
        assertThat(sizes.exceeds(now, 2 * LEAST + 1)).isFalse();
        assertThat(sizes.exceeds(now.plusMillis(999), 2 * LEAST + 1)).isFalse();
        assertThat(sizes.exceeds(now.plusMillis(1_000), 2 * LEAST + 1)).isTrue();
        assertThat(sizes.exceeds(now.plusMillis(1_001), 2 * LEAST + 1)).isFalse();
        assertThat(sizes.exceeds(now.plusMillis(1_500), LEAST)).isFalse();
        assertThat(sizes.exceeds(now.plusMillis(2_600), 2 * LEAST + 1)).isFalse();
    }
}
