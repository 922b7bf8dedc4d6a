package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.OperatorCommand;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CanaryGuardTest {

    private final ManualTime time = new ManualTime();
    private final SharedNotes notes = new InMemoryEventStore().notes();

    private CanaryGuard canary(String id) {
        return new CanaryGuard.InNotes(notes, new OperatorCommand(id, "ann", "desk", ""));
    }

    private boolean claims(CanaryGuard canary, Set<String> causes) {
        return canary.claim(causes, time.now()).isEmpty();
    }

    @Test
    void a_canary_that_was_refused_stands_in_no_other_ones_way() {
        CanaryGuard first = canary("first");
        assertThat(claims(first, Set.of("a"))).isTrue();
        assertThat(claims(canary("refused"), Set.of("a", "b"))).isFalse();
        assertThat(claims(canary("other"), Set.of("b"))).isTrue();
        first.release();
        assertThat(claims(canary("next"), Set.of("a"))).isTrue();
    }

    @Test
    void a_running_canary_keeps_its_causes_and_a_killed_canary_loses_them() {
        CanaryGuard alive = canary("alive");
        assertThat(claims(alive, Set.of("a"))).isTrue();
        assertThat(claims(canary("killed"), Set.of("b"))).isTrue();
        for (int beat = 0; beat < 3; beat++) {
            time.advance(Duration.ofSeconds(30));
            alive.refresh(time.now());
        }
        assertThat(claims(canary("next"), Set.of("a"))).isFalse();
        assertThat(claims(canary("last"), Set.of("b"))).isTrue();
    }

    @Test
    void a_canary_of_more_causes_than_a_note_holds_keeps_every_cause() {
        Set<String> many = IntStream.range(0, 501).mapToObj(i -> "c" + i).collect(Collectors.toSet());
        assertThat(claims(canary("many"), many)).isTrue();
        assertThat(claims(canary("next"), Set.of("any"))).isFalse();
    }
}
