package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.InMemoryEventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge of the crash suite must see what is wrong. */
final class KafkaCrashTallyTest {

    private static final List<String> SENT = List.of("k1/1", "k1/2", "k2/3");

    private final List<KafkaCrashLedger.Entry> entries = new ArrayList<>();
    private long clock = 10_000;

    private void handled(long process, String record) {
        entries.add(new KafkaCrashLedger.Entry(clock, process, "began", record));
        entries.add(new KafkaCrashLedger.Entry(clock, process, "handled", record));
        entries.add(new KafkaCrashLedger.Entry(clock, process, "settled", record));
        clock += 1_000;
    }

    private KafkaCrashTally.Verdict verdict(KafkaCrashTally.Fault... faults) {
        return new KafkaCrashTally(SENT, entries, Set.of()).verdict(new InMemoryEventStore(), List.of(faults), true);
    }

    @Test
    void a_round_without_a_fault_has_nothing_wrong() {
        SENT.forEach(record -> handled(1, record));
        assertThat(verdict()).isEqualTo(new KafkaCrashTally.Verdict(3, 0, 0, 0, 0, 0, 0, 0, 0, List.of()));
    }

    @Test
    void a_record_that_never_ended_is_lost_and_a_record_of_nobody_was_never_sent() {
        handled(1, "k1/1");
        handled(1, "k1/2");
        handled(1, "k9/9");
        KafkaCrashTally.Verdict verdict = verdict();
        assertThat(verdict.lost()).isEqualTo(1);
        assertThat(verdict.unsent()).isEqualTo(1);
        assertThat(verdict.notes()).containsExactly("lost k2/3", "never sent k9/9");
    }

    @Test
    void a_record_that_begins_before_an_earlier_one_of_its_key_has_ended_is_out_of_order() {
        handled(1, "k1/2");
        handled(1, "k1/1");
        handled(1, "k2/3");
        assertThat(verdict().outOfOrder()).isEqualTo(1);
    }

    @Test
    void a_missing_letter_and_a_record_that_died_twice_count() {
        List<String> doomed = List.of("k1/107");
        entries.add(new KafkaCrashLedger.Entry(clock, 1, "dead", "k1/107"));
        entries.add(new KafkaCrashLedger.Entry(clock, 1, "dead", "k1/107"));
        KafkaCrashTally.Verdict verdict =
                new KafkaCrashTally(doomed, entries, Set.of()).verdict(new InMemoryEventStore(), List.of(), true);
        assertThat(verdict.wrongLetters()).isEqualTo(1);
        assertThat(verdict.settledTwice()).isEqualTo(1);
        assertThat(verdict.lost()).isEqualTo(1);
    }

    private void committed(long process) {
        entries.add(new KafkaCrashLedger.Entry(clock, process, KafkaCrashLedger.COMMITTED, "1"));
        clock += 100;
    }

    @Test
    void a_kill_allows_what_was_in_flight_or_finished_since_the_last_commit_to_be_handled_again() {
        handled(1, "k1/1");
        committed(1);
        committed(1);
        handled(1, "k1/2");
        entries.add(new KafkaCrashLedger.Entry(clock, 1, "began", "k2/3"));
        KafkaCrashTally.Fault kill = KafkaCrashTally.Fault.kill(1, clock);
        handled(2, "k1/2");
        handled(2, "k2/3");
        KafkaCrashTally.Verdict verdict = verdict(kill);
        assertThat(verdict.duplicates()).isEqualTo(1);
        assertThat(verdict.allowed()).isEqualTo(2);
        assertThat(verdict.uncommittedMs()).isEqualTo(1_000);
        assertThat(verdict().allowed()).isZero();
    }

    @Test
    void a_record_that_the_last_commit_has_may_not_be_handled_again_however_late_the_kill_is() {
        committed(1);
        handled(1, "k1/1");
        committed(1);
        committed(1);
        KafkaCrashTally.Fault kill = KafkaCrashTally.Fault.kill(1, clock);
        handled(2, "k1/1");
        assertThat(verdict(kill).duplicates()).isEqualTo(1);
        assertThat(verdict(kill).allowed()).isZero();
    }

    @Test
    void a_first_commit_may_have_begun_before_everything_that_the_process_settled() {
        handled(1, "k1/1");
        committed(1);
        assertThat(verdict(KafkaCrashTally.Fault.kill(1, clock)).allowed()).isEqualTo(1);
    }

    @Test
    void an_attempt_that_failed_is_not_in_flight() {
        entries.add(new KafkaCrashLedger.Entry(clock, 1, "began", "k1/1"));
        assertThat(verdict(KafkaCrashTally.Fault.kill(1, clock)).allowed()).isEqualTo(1);
        entries.add(new KafkaCrashLedger.Entry(clock, 1, "retrying", "k1/1"));
        assertThat(verdict(KafkaCrashTally.Fault.kill(1, clock)).allowed()).isZero();
    }
}
