package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashIT {

    private static final int ROUNDS = 20;

    @TempDir
    private Path folder;

    @Test
    void nothing_is_lost_and_nothing_ends_twice_when_the_process_is_killed_again_and_again() throws Exception {
        long seed = Long.getLong("redrive.seed", System.nanoTime() % 1_000_000);
        CrashTally.Verdict verdict = new CrashRun(folder, seed).run(ROUNDS, line -> {});
        assertThat(verdict)
                .as("repeat the moments with -Dredrive.seed=%d", seed)
                .satisfies(found -> {
                    assertThat(found.published()).isPositive();
                    assertThat(found.lost()).as("lost").isZero();
                    assertThat(found.falseDead()).as("false dead letters").isEmpty();
                    assertThat(found.doubleTerminal()).as("ended twice").isZero();
                    assertThat(found.duplicates()).as("duplicates").isLessThanOrEqualTo(found.inFlight());
                });
    }
}
