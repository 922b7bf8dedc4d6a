package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.NamePattern;
import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseStatus;
import io.redrive.operations.CauseView;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.NamePause;
import io.redrive.pipeline.StoreAlert;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The one sentence that says how things are. */
class VerdictTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    private static String sentence(Verdict verdict) {
        return verdict.parts().stream().map(Verdict.Part::text).collect(Collectors.joining("; "));
    }

    private static CauseView cause(CauseStatus status, long letters) {
        Cause cause = new Cause("abc", "IOException", "no", NOW, List.of(), Care.NONE, Optional.empty());
        return new CauseView(cause, status, letters);
    }

    private static Verdict.Facts facts(List<CauseView> causes, long dead, List<NamePause> pauses, long nodes) {
        return new Verdict.Facts(causes, dead, 3, List.of(), pauses, List.of(), nodes);
    }

    @Test
    void nothing_dead_and_a_live_node_is_well() {
        Verdict verdict = Verdict.of(facts(List.of(), 0, List.of(), 1));
        assertThat(verdict.level()).isEqualTo(Verdict.Level.GOOD);
        assertThat(sentence(verdict)).isEqualTo("nothing is dead, 3 events on the way");
    }

    @Test
    void open_causes_with_letters_need_somebody() {
        Verdict verdict = Verdict.of(facts(
                List.of(
                        cause(CauseStatus.OPEN, 400),
                        cause(CauseStatus.OPEN, 12),
                        cause(CauseStatus.OPEN, 0),
                        cause(CauseStatus.ASSIGNED, 9)),
                421,
                List.of(),
                1));
        assertThat(verdict.level()).isEqualTo(Verdict.Level.WARN);
        assertThat(sentence(verdict)).isEqualTo("2 causes need you, 412 letters");
    }

    @Test
    void a_cause_that_came_back_is_worse_than_a_new_one() {
        Verdict verdict = Verdict.of(facts(List.of(cause(CauseStatus.REGRESSED, 1)), 1, List.of(), 1));
        assertThat(verdict.level()).isEqualTo(Verdict.Level.BAD);
        assertThat(sentence(verdict)).isEqualTo("1 cause needs you, 1 letter; 1 cause came back after its fix");
    }

    @Test
    void letters_whose_causes_have_owners_are_in_hand() {
        Verdict verdict = Verdict.of(facts(List.of(cause(CauseStatus.ASSIGNED, 5)), 5, List.of(), 1));
        assertThat(verdict.level()).isEqualTo(Verdict.Level.GOOD);
        assertThat(sentence(verdict)).isEqualTo("5 dead letters, all in hand");
    }

    @Test
    void a_raised_threshold_is_told_with_its_limit() {
        StoreAlert retries = new StoreAlert(Alerts.Kind.RETRY_RATE, true, 0.14, 0.10);
        Verdict verdict = Verdict.of(new Verdict.Facts(List.of(), 0, 0, List.of(retries), List.of(), List.of(), 1));
        assertThat(verdict.level()).isEqualTo(Verdict.Level.BAD);
        assertThat(sentence(verdict)).isEqualTo("retry rate 14 % is above 10 %");
    }

    @Test
    void pauses_and_missing_nodes_are_told() {
        NamePause pause = new NamePause.ByHand(new NamePattern("order.*"), "ann", "down", NOW, Optional.empty());
        Verdict verdict = Verdict.of(facts(List.of(), 0, List.of(pause, pause, pause), 0));
        assertThat(verdict.level()).isEqualTo(Verdict.Level.WARN);
        assertThat(sentence(verdict))
                .isEqualTo(
                        "order.* is paused since ; order.* is paused since ; and 1 further pause; no node is running");
        assertThat(verdict.parts().get(0).since()).contains(NOW);
    }

    @Test
    void of_many_causes_the_sentence_tells_only_what_is_known() {
        List<CauseView> many = Collections.nCopies(Verdict.CAUSES, cause(CauseStatus.OPEN, 3));
        assertThat(sentence(Verdict.of(facts(many, 40_000, List.of(), 1))))
                .isEqualTo("at least 100 causes need you, 40,000 dead letters in all");
    }
}
