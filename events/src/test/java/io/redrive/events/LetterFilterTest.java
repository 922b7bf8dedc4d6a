package io.redrive.events;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LetterFilterTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private final DeadLetter letter = new DeadLetter(
            7,
            Event.named("ml.run.started")
                    .id("Run-1")
                    .correlationId("Trial-9")
                    .source("lab")
                    .build(),
            Optional.empty(),
            Reason.TIMEOUT,
            "TimeoutException",
            "Took 31 s",
            "c0ffee",
            "trainer",
            new Attempts(3, 0, 0),
            1,
            1,
            NOON,
            List.of());

    @Test
    void the_empty_filter_selects_everything() {
        assertThat(ALL.matches(letter)).isTrue();
    }

    @Test
    void each_field_restricts() {
        assertSelects(LetterFilter.ofIds(List.of(7L, 8L)), LetterFilter.ofIds(List.of(8L)));
        assertSelects(ALL.withName("ml.*"), ALL.withName("ml.run"));
        assertSelects(ALL.withReason(Reason.TIMEOUT), ALL.withReason(Reason.POISON));
        assertSelects(ALL.withErrorType("TimeoutException"), ALL.withErrorType("Timeout"));
        assertSelects(ALL.withFingerprint("c0ffee"), ALL.withFingerprint("c0ffe"));
        assertSelects(ALL.withFewerAutomaticRedrivesThan(2), ALL.withFewerAutomaticRedrivesThan(1));
    }

    @Test
    void time_includes_its_start_and_not_its_end() {
        assertSelects(ALL.withTime(NOON, null), ALL.withTime(NOON.plusNanos(1_000), null));
        assertSelects(ALL.withTime(null, NOON.plusNanos(1_000)), ALL.withTime(null, NOON));
    }

    @Test
    void text_is_looked_for_in_error_id_and_correlation_id_ignoring_case() {
        assertSelects(ALL.withText("took"), ALL.withText("tock"));
        assertSelects(ALL.withText("RUN-1"), ALL.withText("started"));
        assertSelects(ALL.withText("trial-9"), ALL.withText("lab"));
    }

    @Test
    void a_blank_text_is_refused_because_it_would_select_every_letter() {
        for (String blank : List.of("", " ", "\t")) {
            assertThatThrownBy(() -> ALL.withText(blank))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("text must not be blank, because every letter contains it; got '" + blank + "'");
        }
    }

    @Test
    void restrictions_add_up() {
        LetterFilter both = ALL.withName("ml.*").withReason(Reason.TIMEOUT).withErrorType("TimeoutException");
        assertSelects(both.withText("31"), both.withText("32"));
        assertThat(both.withFingerprint("c0ffee").withTime(NOON, null).withFewerAutomaticRedrivesThan(3))
                .matches(filter -> filter.matches(letter));
    }

    @Test
    void a_bad_pattern_is_refused_at_once() {
        assertThatThrownBy(() -> ALL.withName("ml*")).hasMessageEndingWith("got 'ml*'");
    }

    private void assertSelects(LetterFilter selecting, LetterFilter other) {
        assertThat(selecting.matches(letter)).as(selecting.toString()).isTrue();
        assertThat(other.matches(letter)).as(other.toString()).isFalse();
    }
}
