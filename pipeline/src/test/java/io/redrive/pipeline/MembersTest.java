package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.cause.ServiceVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MembersTest {

    private final Rig rig = new Rig();
    private final Pipeline first = node("node-1");
    private final Pipeline second = node("node-2");

    private Pipeline node(String name) {
        return rig.pipeline().node(name).service("shop").build();
    }

    private void stepFor(Duration time, Pipeline... nodes) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusSeconds(1)) {
            rig.time.advance(Duration.ofSeconds(1));
            for (Pipeline node : nodes) {
                node.drain();
            }
        }
    }

    @Test
    void every_node_is_listed_from_its_first_step_on() {
        Instant started = rig.time.now();
        first.drain();
        assertThat(first.members())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("sizes")
                .containsExactly(new Member("node-1", "shop", Optional.empty(), started, started, Set.of()));
        second.drain();
        assertThat(first.members()).extracting(Member::node).containsExactly("node-1", "node-2");
    }

    @Test
    void a_node_reports_the_version_of_its_service() {
        Pipeline versioned = rig.pipeline()
                .node("node-3")
                .version("2.4.1")
                .on("order.*", event -> {})
                .build();
        versioned.drain();
        assertThat(versioned.members()).singleElement().satisfies(member -> {
            assertThat(member.version()).contains(new ServiceVersion("2.4.1"));
            assertThat(member.handles()).containsExactly(new NamePattern("order.*"));
        });
        assertThatThrownBy(() -> rig.pipeline().version("newest"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 'newest'");
    }

    @Test
    void a_working_node_stays_alive_and_a_dead_node_counts_as_gone() {
        first.drain();
        second.drain();
        stepFor(Duration.ofSeconds(20), first);
        assertThat(first.members())
                .extracting(member -> member.isAlive(rig.time.now()))
                .containsExactly(true, false);
        stepFor(Duration.ofSeconds(1), second);
        assertThat(first.members())
                .extracting(member -> member.isAlive(rig.time.now()))
                .containsExactly(true, true);
    }

    @Test
    void a_node_that_stops_leaves_the_list() {
        first.drain();
        second.drain();
        second.close();
        assertThat(first.members()).extracting(Member::node).containsExactly("node-1");
    }

    @Test
    void a_node_that_crashed_is_forgotten_after_an_hour() {
        first.drain();
        second.drain();
        stepFor(Duration.ofMinutes(59), first);
        assertThat(first.members()).hasSize(2);
        stepFor(Duration.ofMinutes(2), first);
        assertThat(first.members()).extracting(Member::node).containsExactly("node-1");
    }

    @Test
    void a_node_that_comes_back_under_its_name_takes_its_place() {
        first.drain();
        rig.time.advance(Duration.ofMinutes(1));
        Pipeline again = node("node-1");
        again.drain();
        assertThat(again.members()).extracting(Member::started).containsExactly(rig.time.now());
    }

    @Test
    void a_name_that_no_store_takes_is_refused_at_once() {
        assertThatThrownBy(() -> rig.pipeline().node(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("node must be 1 to 200 characters")
                .hasMessageEndingWith("got ' '");
    }

    @Test
    void after_a_gap_in_watching_a_process_that_was_silent_meanwhile_is_not_taken_for_gone() {
        Members watching = new Members(new NodeIdentity("a", "shop", Optional.empty()), rig.time, Set.of());
        Members watched = new Members(new NodeIdentity("b", "shop", Optional.empty()), rig.time, Set.of());
        tell(watched, rig.time);
        watching.holders(rig.store.notes().read());
        rig.time.advance(Member.BEAT);
        tell(watched, rig.time);
        assertThat(watching.holders(rig.store.notes().read()).alive()).contains(watched.holder());
        // No node reaches the store, so no note changes.
        rig.time.advance(Member.GONE_AFTER.multipliedBy(2));
        assertThat(watching.holders(rig.store.notes().read()).unclear()).contains(watched.holder());
        rig.time.advance(Member.GONE_AFTER.plusMillis(1).dividedBy(2));
        watching.holders(rig.store.notes().read());
        rig.time.advance(Member.GONE_AFTER.plusMillis(1).dividedBy(2));
        assertThat(watching.holders(rig.store.notes().read()).unclear()).isEmpty();
    }

    @Test
    void a_node_whose_clock_is_an_hour_behind_is_heard_all_the_same() {
        ManualTime behind = new ManualTime(rig.time.now().minus(Duration.ofHours(1)));
        Members watching = new Members(new NodeIdentity("a", "shop", Optional.empty()), rig.time, Set.of());
        Members watched =
                new Members(new NodeIdentity("b", "shop", Optional.empty()), behind, Set.of(new NamePattern("mail.*")));
        tell(watched, behind);
        tell(watching, rig.time);
        assertThat(watching.handled().orElseThrow()).containsExactly(new NamePattern("mail.*"));
    }

    private void tell(Members node, ManualTime clock) {
        Map<String, Note> found = rig.store.notes().read().stream()
                .filter(note -> note.topic().equals(Member.TOPIC))
                .collect(Collectors.toMap(Note::name, note -> note));
        node.sync(found, rig.store.notes(), clock.now());
    }
}
