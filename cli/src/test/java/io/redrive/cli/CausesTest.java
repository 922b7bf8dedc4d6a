package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Fingerprint;
import io.redrive.events.OperatorAction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands on causes of dead letters. */
final class CausesTest {

    private final LetterDesk desk = new LetterDesk();
    private String cause = "";

    @BeforeEach
    void aCause() {
        desk.dead("order.paid");
        desk.dead("order.paid");
        cause = desk.letters().get(0).fingerprint();
    }

    @Test
    void list_shows_status_letters_and_an_example() {
        Ran ran = desk.run("causes list");
        assertThat(ran.out()).contains("cause", "status", cause, "open", "order.paid");
        assertThat(desk.run("causes list --json").out())
                .contains("\"fingerprint\":\"" + cause + "\"", "\"status\":\"open\"", "\"letters\":2", "\"seen\":2");
    }

    @Test
    void list_filters_by_status_and_owner_and_refuses_an_unknown_status() {
        desk.run("causes assign " + cause + " bob");
        assertThat(desk.run("causes list --owner bob --status assigned").out()).contains(cause);
        assertThat(desk.run("causes list --status open").out()).isEqualToIgnoringNewLines("no cause matches");
        Ran wrong = desk.run("causes list --status solved");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("--status must be one of open, assigned, resolved, regressed, ignored; got 'solved'");
    }

    @Test
    void a_cause_keeps_owner_note_and_ticket_after_its_letters_are_gone() {
        assertThat(desk.run("causes assign " + cause + " bob --operator ada").out())
                .isEqualToIgnoringNewLines("cause " + cause + " is assigned");
        desk.run("causes note " + cause + " proxy --ticket https://tickets/7");
        desk.run("dlq purge --all --yes");
        assertThat(desk.run("causes show " + cause).out())
                .contains("assigned", "bob", "proxy", "https://tickets/7", "0 now, 2 seen in 90 days");
        assertThat(desk.store.deadLetters().actions(10))
                .extracting(OperatorAction::action)
                .containsExactly("purge", "note", "note", "assign");
    }

    @Test
    void a_resolved_cause_without_live_nodes_says_that_the_fix_is_not_known() {
        assertThat(desk.run("causes resolve " + cause + " --fixed-in 2.4").out())
                .isEqualToIgnoringNewLines("cause " + cause + " is resolved, fixed in 2.4");
        assertThat(desk.run("causes show " + cause).out()).contains("no live node handles these events");
        assertThat(desk.run("causes reopen " + cause).out()).contains("is open");
    }

    @Test
    void wrong_versions_times_and_causes_are_refused_by_field_value_and_rule() {
        Ran version = desk.run("causes resolve " + cause + " --fixed-in soon");
        assertThat(version.code()).isEqualTo(2);
        assertThat(version.err()).contains("version must be numbers with dots", "got 'soon'");
        Ran past = desk.run("causes ignore " + cause + " --until 2020-01-01");
        assertThat(past.code()).isEqualTo(2);
        assertThat(past.err()).contains("until must be in the future");
        Ran letters = desk.run("causes ignore " + cause + " --letters 0");
        assertThat(letters.err()).contains("letters must be at least 1, got 0");
        Ran unknown = desk.run("causes assign nope bob");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("no cause has the fingerprint 'nope'", "redrive causes list");
        assertThat(desk.run("causes note " + cause).err()).contains("give a TEXT, or --ticket LINK");
        assertThat(desk.store.deadLetters().actions(10)).isEmpty();
    }

    @Test
    void ignore_says_until_when() {
        assertThat(desk.run("causes ignore " + cause + " --letters 100").out())
                .isEqualToIgnoringNewLines("cause " + cause + " is ignored until 100 more letters");
        assertThat(desk.run("causes ignore " + cause + " --until 3d").out()).contains("is ignored until 20");
    }

    @Test
    void merge_moves_the_letters_and_names_what_is_wrong() {
        Ran unknown = desk.run("causes merge nothing " + cause);
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("no cause has the fingerprint 'nothing'; see: redrive causes list");
        Ran same = desk.run("causes merge " + cause + " " + cause);
        assertThat(same.code()).isEqualTo(2);
        assertThat(same.err()).contains("a cause cannot be merged into itself");
        String other = Fingerprint.of("Other", "thing");
        Ran nowhere = desk.run("causes merge " + cause + " " + other);
        assertThat(nowhere.code()).isEqualTo(1);
        assertThat(nowhere.err()).contains("no cause has the fingerprint '" + other + "'; see: redrive causes list");
    }
}
