package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Exchange;
import io.redrive.events.NamePattern;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A name that an operator paused. */
class HandPauseTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();
    private final HandPauses pauses = new HandPauses(rig.store.notes());

    /** Counts the claims and settlements that reach the store. */
    private static final class CountingStore extends HookedStore {
        private int claimed;
        private int settled;

        CountingStore(Rig rig) {
            super(rig.store);
        }

        @Override
        public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
            Exchange exchange = super.exchange(settlements, requests, now);
            claimed += exchange.claims().size();
            settled += settlements.size();
            return exchange;
        }
    }

    private Pipeline.Builder handling(Pipeline.Builder builder) {
        return builder.on("order.*", event -> rig.handled.add(event.id()))
                .on("mail.*", event -> rig.handled.add("mail"));
    }

    private Pipeline pipeline() {
        return handling(rig.pipeline()).build();
    }

    private void pause(String pattern, Optional<Duration> lasting) {
        Instant now = rig.time.now();
        pauses.pause(
                new NamePause.ByHand(new NamePattern(pattern), "ann", "bank is down", now, lasting.map(now::plus)));
    }

    private void resume(String pattern) {
        assertThat(pauses.resume(new NamePattern(pattern), rig.time.now())).isPresent();
    }

    private StoreStats.Waiting waiting() {
        return NamePause.stats(rig.store, rig.time.now()).waiting();
    }

    @Test
    void twenty_thousand_events_of_a_paused_name_are_never_claimed_and_all_handled_in_order_after_the_resume() {
        CountingStore store = new CountingStore(rig);
        Pipeline pipeline = handling(rig.pipelineOn(store)).build();
        pause("order.*", Optional.empty());
        List<String> published = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<Event> events = rig.events("order.paid", 1_000);
            events.forEach(event -> published.add(event.id()));
            rig.store.publish(events, rig.time.now());
        }
        rig.run(pipeline, Duration.ofMinutes(5), SECOND);
        assertThat(store.claimed).isZero();
        assertThat(store.settled).isZero();
        assertThat(waiting()).isEqualTo(new StoreStats.Waiting(0, 0, Duration.ZERO, 20_000, 0));
        assertThat(rig.handled).isEmpty();
        resume("order.*");
        rig.run(pipeline, Duration.ofSeconds(2), SECOND);
        assertThat(rig.handled).isEqualTo(published);
        assertThat(store.claimed).isEqualTo(20_000);
        assertThat(store.settled).isEqualTo(20_000);
        assertThat(rig.heard.done).allMatch(done -> done.attempts() == 1);
    }

    @Test
    void a_running_pipeline_obeys_within_a_second_and_other_names_go_on() {
        Pipeline pipeline = pipeline();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        pause("order.paid", Optional.empty());
        rig.run(pipeline, SECOND, SECOND);
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.publish(rig.events("mail.sent", 1));
        pipeline.publish(rig.events("order.sent", 1));
        rig.run(pipeline, Duration.ofMinutes(1), SECOND);
        assertThat(rig.handled).containsExactly("e1", "mail", "e6");
        assertThat(waiting().paused()).isEqualTo(3);
    }

    @Test
    void a_pause_with_an_end_ends_by_itself_and_its_note_goes_later() {
        Pipeline pipeline = pipeline();
        pause("order.*", Optional.of(Duration.ofMinutes(10)));
        pipeline.publish(rig.events("order.paid", 3));
        rig.run(pipeline, Duration.ofSeconds(599), SECOND);
        assertThat(rig.handled).isEmpty();
        rig.run(pipeline, Duration.ofSeconds(1), SECOND);
        assertThat(rig.handled).containsExactly("e1", "e2", "e3");
        assertThat(NamePause.of(rig.store.notes(), rig.time.now())).isEmpty();
        rig.run(pipeline, Duration.ofMinutes(61), Duration.ofMinutes(1));
        assertThat(rig.store.notes().read()).extracting(Note::topic).doesNotContain(NamePause.ByHand.TOPIC);
    }

    @Test
    void events_come_back_in_the_order_of_their_key_and_with_their_priority() {
        Pipeline pipeline = handling(rig.pipeline()).build();
        pause("order.paid", Optional.empty());
        pipeline.publish(List.of(
                rig.event("order.paid").id("k1").orderingKey("k").build(),
                rig.event("order.sent").id("k2").orderingKey("k").build(),
                rig.event("order.paid").id("k3").orderingKey("k").build(),
                rig.event("order.paid").id("low").priority(Priority.LOW).build(),
                rig.event("order.paid")
                        .id("critical")
                        .priority(Priority.CRITICAL)
                        .build()));
        rig.run(pipeline, Duration.ofSeconds(10), SECOND);
        assertThat(rig.handled).isEmpty();
        resume("order.paid");
        rig.run(pipeline, Duration.ofSeconds(10), SECOND);
        assertThat(rig.handled).hasSize(5).startsWith("critical").containsSubsequence("k1", "k2", "k3");
    }

    @Test
    void a_node_that_starts_during_the_pause_obeys_before_its_first_claim() {
        pause("order.*", Optional.empty());
        rig.store.publish(rig.events("order.paid", 3), rig.time.now());
        Pipeline pipeline = pipeline();
        pipeline.step();
        pipeline.drain();
        assertThat(rig.handled).isEmpty();
        assertThat(rig.stats().claimed()).isZero();
    }

    @Test
    void a_pause_holds_on_two_nodes_whatever_became_of_the_process_that_made_it() {
        Pipeline one = pipeline();
        Pipeline two = handling(rig.pipeline().node("node-2")).build();
        one.step();
        two.step();
        pause("order.*", Optional.empty());
        // Before a node has read the notes it may handle events; a second later no node does.
        rig.time.advance(SECOND);
        one.drain();
        two.drain();
        rig.store.publish(rig.events("order.paid", 10), rig.time.now());
        for (int i = 0; i < 60; i++) {
            rig.time.advance(SECOND);
            one.drain();
            two.drain();
        }
        assertThat(rig.handled).isEmpty();
        new HandPauses(rig.store.notes()).resume(new NamePattern("order.*"), rig.time.now());
        rig.time.advance(SECOND);
        one.drain();
        two.drain();
        one.drain();
        assertThat(rig.handled).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void claims_that_no_handler_has_begun_are_put_off_when_the_pause_begins() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline pipeline = handling(rig.pipeline().executor(busy)).build();
        pipeline.publish(rig.events("order.paid", 50));
        pipeline.publish(rig.events("mail.sent", 1));
        pipeline.drain();
        int begun = busy.waiting.size();
        pause("order.*", Optional.empty());
        for (int i = 0; i < 30; i++) {
            rig.time.advance(SECOND);
            pipeline.drain();
        }
        assertThat(begun).isLessThan(50);
        assertThat(waiting().paused()).isEqualTo(50);
        while (!busy.waiting.isEmpty()) {
            busy.runAll();
            pipeline.drain();
        }
        assertThat(rig.handled).containsExactly("mail");
        resume("order.*");
        for (int i = 0; i < 30; i++) {
            rig.time.advance(SECOND);
            pipeline.drain();
            busy.runAll();
        }
        assertThat(rig.handled).hasSize(51);
        assertThat(rig.heard.done).allMatch(done -> done.attempts() == 1);
    }

    @Test
    void a_paused_name_raises_no_warning_and_nothing_dies_although_no_node_handles_it() {
        Pipeline pipeline = rig.pipeline()
                .policies(EventPolicies.defaults().withUnhandledAfter("*", Duration.ofMinutes(2)))
                .on("mail.*", event -> {})
                .build();
        pause("order.*", Optional.empty());
        pipeline.publish(rig.events("order.paid", 3));
        rig.run(pipeline, Duration.ofMinutes(10), SECOND);
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.heard.lints).isEmpty();
        assertThat(waiting().paused()).isEqualTo(3);
        resume("order.*");
        rig.run(pipeline, Duration.ofMinutes(3), SECOND);
        assertThat(rig.letters()).as("without a pause, unhandled-after counts").hasSize(3);
    }

    @Test
    void a_second_pause_of_the_pattern_replaces_the_first_and_resume_tells_what_it_ended() {
        pause("order.*", Optional.empty());
        Instant now = rig.time.now();
        NamePause.ByHand second = new NamePause.ByHand(
                new NamePattern("order.*"), "bob", "two\nlines", now, Optional.of(now.plusSeconds(60)));
        assertThat(pauses.pause(second)).map(NamePause.ByHand::operator).contains("ann");
        assertThat(NamePause.of(rig.store.notes(), now)).containsExactly(second);
        assertThat(pauses.resume(new NamePattern("order.paid"), now)).isEmpty();
        assertThat(pauses.resume(new NamePattern("order.*"), now)).contains(second);
        assertThat(pauses.resume(new NamePattern("order.*"), now)).isEmpty();
    }

    @Test
    void a_pause_that_is_over_counts_neither_as_paused_nor_against_the_limit() {
        for (int i = 0; i < HandPauses.MAX_PATTERNS; i++) {
            pause("n" + i + ".*", Optional.of(SECOND));
        }
        assertThatThrownBy(() -> pause("one.more.*", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at most 100 patterns can be paused by hand, and 'one.more.*' would be one more;"
                        + " resume one, or pause a wider pattern");
        pause("n1.*", Optional.of(SECOND));
        rig.time.advance(SECOND);
        pause("one.more.*", Optional.empty());
        assertThat(pauses.resume(new NamePattern("n1.*"), rig.time.now())).isEmpty();
        assertThat(NamePause.of(rig.store.notes(), rig.time.now()))
                .extracting(NamePause::pattern)
                .containsExactly(new NamePattern("one.more.*"));
    }

    @Test
    void names_may_be_paused_long_after_patterns_may_not() {
        for (int i = 0; i < 2 * HandPauses.MAX_PATTERNS; i++) {
            pause("webhook.r" + i, Optional.of(SECOND.multipliedBy(i + 1)));
        }
        Pipeline pipeline =
                rig.pipeline().on("*", event -> rig.handled.add(event.name())).build();
        pipeline.publish(rig.events("webhook.r7", 1));
        pipeline.publish(rig.events("webhook.r199", 1));
        pipeline.publish(rig.events("webhook.free", 1));
        pipeline.drain();
        assertThat(rig.handled).containsExactly("webhook.free");
        rig.run(pipeline, Duration.ofSeconds(20), SECOND);
        assertThat(rig.handled).as("the pause of r7 is over").containsExactly("webhook.free", "webhook.r7");
        resume("webhook.r199");
        rig.run(pipeline, Duration.ofSeconds(5), SECOND);
        assertThat(rig.handled).containsExactly("webhook.free", "webhook.r7", "webhook.r199");
    }

    @Test
    void reason_operator_and_end_are_checked() {
        NamePattern all = new NamePattern("*");
        Instant now = rig.time.now();
        assertThatThrownBy(() -> new NamePause.ByHand(all, "ann", " ", now, Optional.empty()))
                .hasMessage("reason must have 1 to 1000 characters, got 0");
        assertThatThrownBy(() -> new NamePause.ByHand(all, "a\nb", "x", now, Optional.empty()))
                .hasMessageStartingWith("operator must be a name in one line");
        assertThatThrownBy(() -> new NamePause.ByHand(all, "ann", "x", now, Optional.of(now)))
                .hasMessageStartingWith("until must be after " + now);
    }
}
