package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The time of the next look for samples to claim. */
final class ClaimsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Claims claims = new Claims(new InMemoryRunStore(), new Lease("run-1", 1));

    @Test
    void a_look_that_found_samples_is_followed_by_another_at_once() {
        assertThat(claims.nextLook(true, true, NOW)).isEqualTo(NOW);
        assertThat(claims.nextLook(true, false, NOW)).isEqualTo(NOW);
    }

    @Test
    void a_process_that_reads_the_source_looks_every_second() {
        assertThat(pauses(2, false)).containsOnly(Duration.ofSeconds(1));
    }

    @Test
    void while_another_process_reads_the_source_looks_become_less_and_less_frequent() {
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
