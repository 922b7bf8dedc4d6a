package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NamePausesTest {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final List<Instant> until = new ArrayList<>();
    private final SharedNotes notes = new InMemoryEventStore().notes();
    private final NamePauses pauses = new NamePauses(event -> until.add(event.until()));
    private long position;
    private final NamePauses elsewhere = new NamePauses(event -> {});

    private Claim event() {
        return event("order.paid");
    }

    private Claim event(String name) {
        Event event = Event.named(name).source("test").time(time).build();
        return new Claim(event, ++position, 1, Attempts.NONE, time.now(), Duration.ZERO, 0);
    }

    private void die(int times) {
        for (int i = 0; i < times; i++) {
            pauses.dead(event(), time.now());
        }
    }

    private boolean mayGo(Claim event) {
        return mayGo(pauses, event);
    }

    private boolean mayGo(NamePauses node, Claim event) {
        return node.waitFor(event, time.now()).isEmpty();
    }

    private void sync(NamePauses node) {
        new Sharing(notes, List.of(node)).work(time.now());
    }

    private void pause() {
        die(NamePauses.WINDOW);
        sync(pauses);
    }

    /** The first event after a pause asks for the right to probe, which comes with the next exchange of notes. */
    private boolean askToProbe(NamePauses node) {
        assertThat(mayGo(node, event())).isFalse();
        sync(node);
        return mayGo(node, event());
    }

    private Claim probe() {
        time.advance(FIRST_PAUSE);
        assertThat(mayGo(event())).isFalse();
        sync(pauses);
        Claim probe = event();
        assertThat(mayGo(probe)).isTrue();
        return probe;
    }

    @Test
    void a_name_is_paused_when_nearly_all_its_events_died() {
        die(NamePauses.WINDOW - 1);
        assertThat(mayGo(event())).isTrue();
        die(1);
        assertThat(pauses.waitFor(event(), time.now())).contains(FIRST_PAUSE);
        assertThat(until).containsExactly(time.now().plus(FIRST_PAUSE));
    }

    @Test
    void a_name_of_which_more_than_a_tenth_is_handled_goes_on() {
        for (int i = 0; i < NamePauses.WINDOW; i++) {
            pauses.done(event(), time.now());
            die(3);
        }
        assertThat(until).isEmpty();
    }

    @Test
    void other_names_go_on() {
        die(NamePauses.WINDOW);
        assertThat(mayGo(event("order.sent"))).isTrue();
    }

    @Test
    void after_the_pause_one_event_probes_and_other_events_wait() {
        pause();
        probe();
        Claim other = event();
        assertThat(mayGo(other)).isFalse();
        // Events that wait for the probe are settled as snoozed, which is no verdict about the probe.
        pauses.undecided(other);
        assertThat(mayGo(event())).isFalse();
    }

    @Test
    void a_probe_that_is_handled_ends_the_pause() {
        pause();
        pauses.done(probe(), time.now());
        assertThat(mayGo(event())).isTrue();
        assertThat(until).hasSize(2).last().isNull();
        sync(pauses);
        assertThat(notes.read()).isEmpty();
    }

    @Test
    void a_probe_that_fails_doubles_the_pause_although_it_has_attempts_left() {
        pause();
        pauses.retried(probe(), time.now());
        assertThat(pauses.waitFor(event(), time.now())).contains(FIRST_PAUSE.multipliedBy(2));
    }

    @Test
    void pauses_in_a_row_began_with_the_first_of_them() {
        Instant began = time.now();
        pause();
        pauses.retried(probe(), time.now());
        sync(pauses);
        assertThat(NamePause.of(notes, time.now()))
                .containsExactly(new NamePause.ByPipeline(
                        event().event().name(), began, time.now().plus(FIRST_PAUSE.multipliedBy(2))));
    }

    @Test
    void a_probe_whose_settlement_is_stale_makes_way_for_another() {
        pause();
        pauses.undecided(probe());
        assertThat(mayGo(event())).isTrue();
    }

    @Test
    void a_pause_holds_on_every_node() {
        pause();
        assertThat(mayGo(elsewhere, event())).isTrue();
        sync(elsewhere);
        assertThat(elsewhere.waitFor(event(), time.now())).contains(FIRST_PAUSE);
    }

    @Test
    void of_several_nodes_one_sends_the_probe() {
        pause();
        sync(elsewhere);
        time.advance(FIRST_PAUSE);
        assertThat(askToProbe(elsewhere)).isTrue();
        assertThat(askToProbe(pauses)).isFalse();
    }

    @Test
    void a_probe_that_is_handled_on_one_node_ends_the_pause_on_all() {
        pause();
        sync(elsewhere);
        pauses.done(probe(), time.now());
        sync(pauses);
        sync(elsewhere);
        assertThat(mayGo(elsewhere, event())).isTrue();
    }

    @Test
    void when_the_node_with_the_probe_dies_another_may_probe_in_a_while() {
        pause();
        sync(elsewhere);
        probe();
        assertThat(askToProbe(elsewhere)).isFalse();
        time.advance(Duration.ofSeconds(30));
        assertThat(askToProbe(elsewhere)).isTrue();
    }

    @Test
    void stragglers_that_die_during_a_pause_do_not_prolong_it() {
        die(NamePauses.WINDOW + 5);
        assertThat(until).hasSize(1);
    }

    @Test
    void the_node_that_may_probe_does_not_take_its_own_note_for_a_pause_of_another() {
        pause();
        time.advance(FIRST_PAUSE);
        assertThat(mayGo(event())).isFalse();
        sync(pauses);
        // The note pauses the name for other nodes until the probe should be over.
        sync(pauses);
        assertThat(until).as("no further pause is told").hasSize(1);
        Claim probe = event();
        assertThat(mayGo(probe)).isTrue();
        sync(pauses);
        assertThat(mayGo(probe)).as("the probe is under way").isTrue();
        assertThat(until).hasSize(1);
    }

    @Test
    void the_probe_is_known_by_its_position_whatever_object_it_comes_in() {
        pause();
        Claim probe = probe();
        Event same = probe.event().toBuilder().build();
        Claim again = new Claim(same, probe.position(), 2, Attempts.NONE, time.now(), Duration.ZERO, 0);
        pauses.retried(again, time.now());
        assertThat(pauses.waitFor(event(), time.now())).contains(FIRST_PAUSE.multipliedBy(2));
    }

    @Test
    void of_two_nodes_that_ask_for_the_probe_at_once_only_the_first_writer_may_go() {
        pause();
        sync(elsewhere);
        time.advance(FIRST_PAUSE);
        assertThat(mayGo(pauses, event())).isFalse();
        assertThat(mayGo(elsewhere, event())).isFalse();
        Map<String, SharedNotes.Note> found =
                notes.read().stream().collect(Collectors.toMap(SharedNotes.Note::name, note -> note));
        pauses.sync(found, notes, time.now());
        elsewhere.sync(found, notes, time.now());
        assertThat(mayGo(pauses, event())).isTrue();
        assertThat(mayGo(elsewhere, event())).isFalse();
    }

    @Test
    void a_probe_whose_settlement_came_too_late_lets_another_event_probe() {
        pause();
        Claim probe = probe();
        new Admission(pauses, new RetryBudgets()).stale(probe);
        assertThat(mayGo(event())).isTrue();
    }

    @Test
    void a_probe_whose_deadline_passed_before_its_handler_began_lets_another_event_probe() {
        pause();
        Claim probe = probe();
        Settler settler = new Settler(
                new NodeIdentity("node", "service", Optional.empty()),
                new Random(1),
                EventPolicies.defaults(),
                LetterRules.NONE);
        new Admission(pauses, new RetryBudgets()).settled(settler.expired(probe, time.now()), time.now());
        assertThat(mayGo(event())).isTrue();
    }

    @Test
    void after_a_pause_has_ended_earlier_deaths_do_not_count() {
        pause();
        pauses.done(probe(), time.now());
        for (int i = 0; i < NamePauses.WINDOW / 4; i++) {
            pauses.done(event(), time.now());
        }
        die(NamePauses.WINDOW);
        assertThat(mayGo(event())).isTrue();
    }

    @Test
    void a_note_of_an_earlier_version_tells_the_begin_of_its_last_pause() {
        InMemoryEventStore old = new InMemoryEventStore();
        old.notes().write(SharedNotes.Note.first(NamePauses.TOPIC, "order.paid", "2026-11-17T12:00:30Z 1"));
        assertThat(NamePause.of(old.notes(), Instant.parse("2026-11-17T12:00:10Z")))
                .containsExactly(new NamePause.ByPipeline(
                        "order.paid", Instant.parse("2026-11-17T12:00:00Z"), Instant.parse("2026-11-17T12:00:30Z")));
    }
}
