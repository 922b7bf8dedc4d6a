package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.HandledKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a store of handled keys: a key holds until its time, for all nodes, and no longer. */
public abstract class HandledKeysContract {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant TOMORROW = NOW.plus(Duration.ofDays(1));
    private static final String KEY = "chunking-abc-def-ghi";

    @TempDir
    private Path dir;

    private HandledKeys keys;

    /**
     * A new, empty store.
     *
     * @param folder an empty folder for this store alone
     */
    protected abstract HandledKeys create(Path folder);

    /** Another object on the same keys, for a second node or a later process. */
    protected abstract HandledKeys join(HandledKeys created, Path folder);

    @BeforeEach
    final void createKeys() {
        keys = create(dir);
    }

    @Test
    final void a_key_is_not_there_before_it_is_added() {
        assertThat(keys.contains(KEY, NOW)).isFalse();
        keys.add(KEY, TOMORROW, NOW);
        assertThat(keys.contains(KEY, NOW)).isTrue();
        assertThat(keys.contains(KEY + "x", NOW)).isFalse();
        assertThat(keys.contains("CHUNKING-abc-def-ghi", NOW)).isFalse();
    }

    @Test
    final void a_key_holds_until_its_moment_and_not_at_it() {
        keys.add(KEY, TOMORROW, NOW);
        assertThat(keys.contains(KEY, TOMORROW.minusMillis(1))).isTrue();
        assertThat(keys.contains(KEY, TOMORROW)).isFalse();
    }

    @Test
    final void of_two_moments_for_one_key_the_later_stands() {
        keys.add(KEY, TOMORROW, NOW);
        keys.add(KEY, NOW.plusSeconds(1), NOW);
        assertThat(keys.contains(KEY, NOW.plusSeconds(2))).isTrue();
        keys.add(KEY, TOMORROW.plusSeconds(9), NOW);
        assertThat(keys.contains(KEY, TOMORROW.plusSeconds(8))).isTrue();
    }

    @Test
    final void a_key_that_no_longer_holds_can_be_added_again() {
        keys.add(KEY, TOMORROW, NOW);
        keys.add(KEY, TOMORROW.plusSeconds(60), TOMORROW);
        assertThat(keys.contains(KEY, TOMORROW)).isTrue();
    }

    @Test
    final void keys_past_their_time_are_removed_and_valid_keys_stay() {
        for (int i = 0; i < 3; i++) {
            keys.add("old-" + i, NOW.plusSeconds(1), NOW);
            keys.add("new-" + i, TOMORROW, NOW);
        }
        keys.add("last", TOMORROW, NOW.plusSeconds(1));
        // After a clock is set back, swept keys are gone and keys past their time hold again.
        for (int i = 0; i < 3; i++) {
            assertThat(keys.contains("old-" + i, NOW)).isFalse();
            assertThat(keys.contains("new-" + i, NOW)).isTrue();
        }
    }

    @Test
    final void keys_are_seen_by_every_node() {
        keys.add(KEY, TOMORROW, NOW);
        assertThat(join(keys, dir).contains(KEY, NOW)).isTrue();
    }

    @Test
    final void the_longest_key_is_kept_and_a_longer_one_refused() {
        String longest = "ü".repeat(HandledKeys.MAX_KEY);
        keys.add(longest, TOMORROW, NOW);
        assertThat(keys.contains(longest, NOW)).isTrue();
        for (String bad : new String[] {longest + "x", " ", "a\0b"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> keys.add(bad, TOMORROW, NOW));
            assertThatIllegalArgumentException().isThrownBy(() -> keys.contains(bad, NOW));
        }
    }
}
