package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.Stage;
import io.redrive.items.store.Commit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When a watched sample may begin. */
final class PoisonWatchTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final Ledger ledger =
            new Ledger("run-1", Rig.pipeline(Stage.map("s", (String text) -> text)), true, Duration.ZERO);
    private final PoisonWatch watch = new PoisonWatch(ledger);

    /** A commit that was under way before the mark has a change of the same sample, without the mark. */
    @Test
    void a_watched_sample_begins_with_the_commit_of_its_mark_and_with_no_earlier_change_of_its_own() {
        Sample sample = Samples.sample(0);
        ledger.taken(sample);
        ledger.taken(new Commit.Taken(1, 100, false, OptionalLong.empty()));
        ledger.changed(sample, NOW);
        List<Commit.Change> before = ledger.close(NOW, true).changes();
        watch.add(sample);
        assertThat(watch.mark(true, NOW)).isTrue();
        List<Commit.Change> withMark = ledger.close(NOW, true).changes();

        assertThat(before).hasSize(1);
        assertThat(watch.stored(before)).isEmpty();
        assertThat(watch.stored(withMark)).containsExactly(sample);
        assertThat(watch.stored(withMark)).as("once").isEmpty();
    }
}
