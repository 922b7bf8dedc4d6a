package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a process looks again for samples that it could claim. */
final class ClaimsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Claims claims = new Claims(new InMemoryRunStore(), new Lease("run-1", 1));

    @Test
    void who_found_some_looks_again_at_once() {
        assertThat(claims.nextLook(true, true, NOW)).isEqualTo(NOW);
        assertThat(claims.nextLook(true, false, NOW)).isEqualTo(NOW);
    }

    @Test
    void who_reads_the_source_itself_looks_every_second() {
        assertThat(pauses(2, false)).containsOnly(Duration.ofSeconds(1));
    }

    @Test
    void where_another_process_reads_it_looks_soon_and_then_less_and_less_often() {
        assertThat(pauses(6, true))
                .extracting(Duration::toMillis)
                .containsExactly(62L, 125L, 250L, 500L, 1_000L, 1_000L);
        claims.nextLook(true, true, NOW);
        assertThat(pauses(1, true)).extracting(Duration::toMillis).containsExactly(62L);
    }

    private List<Duration> pauses(int looks, boolean othersRead) {
        return IntStream.range(0, looks)
                .mapToObj(i -> Duration.between(NOW, claims.nextLook(false, othersRead, NOW)))
                .toList();
    }
}
