package io.redrive.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.pekko.actor.InvalidActorNameException;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.StatusReply;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

final class ActorFamilyTest {

    private static final Rig RIG = new Rig();
    private static final AtomicInteger KINDS = new AtomicInteger();

    private final TestProbe<String> probe = RIG.probe();
    private final AtomicInteger lives = new AtomicInteger();
    private final ActorFamily<Command> family = family(this::counter);

    sealed interface Command {}

    record Count(ActorRef<String> replyTo) implements Command {}

    record End() implements Command {}

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private static ActorFamily<Command> family(Function<String, Behavior<Command>> member) {
        return ActorFamily.start(RIG.kit.system(), "counters-" + KINDS.incrementAndGet(), member);
    }

    private Behavior<Command> counter(String id) {
        int life = lives.incrementAndGet();
        List<Count> counted = new ArrayList<>();
        return Behaviors.receive(Command.class)
                .onMessage(Count.class, count -> {
                    counted.add(count);
                    count.replyTo().tell(id + " " + counted.size() + " in life " + life);
                    return Behaviors.same();
                })
                .onMessage(End.class, end -> Behaviors.stopped())
                .onSignal(PostStop.class, signal -> {
                    probe.getRef().tell(id + " stopped");
                    return Behaviors.same();
                })
                .build();
    }

    private String ask(String id) {
        return get(family.ask(id, Count::new, Rig.PATIENCE));
    }

    private static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(Rig.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_first_message_to_an_id_creates_the_member_and_later_ones_find_it() {
        assertThat(lives).hasValue(0);
        assertThat(ask("a")).isEqualTo("a 1 in life 1");
        assertThat(ask("b")).isEqualTo("b 1 in life 2");
        assertThat(ask("a")).isEqualTo("a 2 in life 1");
    }

    @Test
    void messages_to_one_id_arrive_in_order() {
        for (int i = 0; i < 1_000; i++) {
            family.tell("a", new Count(probe.getRef()));
        }
        for (int i = 1; i <= 1_000; i++) {
            probe.expectMessage("a " + i + " in life 1");
        }
    }

    @Test
    void a_message_after_a_stop_creates_a_new_member() {
        ask("a");
        family.tell("a", new End());
        probe.expectMessage("a stopped");
        awaitLife(2);
        assertThat(ask("a")).isEqualTo("a 1 in life 2");
        family.stop("a");
        probe.expectMessage("a stopped");
        awaitLife(3);
        assertThat(ask("a")).isEqualTo("a 1 in life 3");
    }

    /** The parent forgets a stopped member only when it hears of the stop; until then the id belongs to the stopped member. */
    private void awaitLife(int life) {
        Awaitility.await().atMost(Rig.PATIENCE).until(() -> {
            get(family.ref("a", Rig.PATIENCE));
            return lives.get() == life;
        });
    }

    @Test
    void a_stop_of_an_unknown_id_changes_nothing() {
        family.stop("a");
        assertThat(ask("a")).isEqualTo("a 1 in life 1");
    }

    @Test
    void ref_returns_the_reference_of_the_member() {
        ActorRef<Command> ref = get(family.ref("a", Rig.PATIENCE));
        ref.tell(new Count(probe.getRef()));
        probe.expectMessage("a 1 in life 1");
        assertThat(ask("a")).isEqualTo("a 2 in life 1");
        assertThat(ref.path().parent().toString()).isEqualTo(family.toString().substring("actors ".length()));
    }

    @Test
    void any_text_is_an_id_unless_it_is_blank() {
        assertThat(ask("ä / $ \n?")).isEqualTo("ä / $ \n? 1 in life 1");
        assertThat(ask("..")).isEqualTo(".. 1 in life 2");
        assertThatThrownBy(() -> family.tell(" ", new End()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("id of an actor must not be blank, got ' '");
        assertThatThrownBy(() -> family.ask("", Count::new, Rig.PATIENCE)).hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> family.ref("", Rig.PATIENCE)).hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> family.stop("")).hasMessageContaining("must not be blank");
    }

    @Test
    void a_factory_that_throws_fails_only_its_own_member() {
        ActorFamily<Command> picky = family(id -> {
            if (id.equals("bad")) {
                throw new IllegalStateException("not this one");
            }
            return counter(id);
        });
        picky.tell("bad", new End());
        assertThat(get(picky.ask("good", Count::new, Rig.PATIENCE))).isEqualTo("good 1 in life 1");
    }

    @Test
    void an_unanswered_ask_fails_with_a_timeout() {
        ActorFamily<Command> mute = family(id -> Behaviors.ignore());
        var answer = mute.ask("a", Count::new, Duration.ofSeconds(1));
        RIG.time.timePasses(Duration.ofSeconds(2));
        assertThat(answer.toCompletableFuture())
                .failsWithin(Rig.PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void an_answered_error_fails_the_ask() {
        ActorFamily<Asked> askers = ActorFamily.start(
                RIG.kit.system(),
                "askers",
                id -> Behaviors.receiveMessage(asked -> {
                    asked.replyTo().tell(id.equals("good") ? StatusReply.success("yes") : StatusReply.error("no"));
                    return Behaviors.same();
                }));
        assertThat(get(askers.askWithStatus("good", Asked::new, Rig.PATIENCE))).isEqualTo("yes");
        assertThat(askers.askWithStatus("bad", Asked::new, Rig.PATIENCE).toCompletableFuture())
                .failsWithin(Rig.PATIENCE)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(StatusReply.ErrorMessage.class)
                .withMessage("no");
    }

    record Asked(ActorRef<StatusReply<String>> replyTo) {}

    @Test
    void close_stops_the_members() {
        ask("a");
        ask("b");
        get(family.close(Rig.PATIENCE));
        assertThat(List.of(probe.receiveMessage(Duration.ZERO), probe.receiveMessage(Duration.ZERO)))
                .containsExactlyInAnyOrder("a stopped", "b stopped");
    }

    @Test
    void two_families_of_one_system_need_different_names() {
        ActorFamily.start(RIG.kit.system(), "only one", this::counter);
        assertThatThrownBy(() -> ActorFamily.start(RIG.kit.system(), "only one", this::counter))
                .isInstanceOf(InvalidActorNameException.class)
                .hasMessageContaining("only+one");
    }

    @Test
    void members_retry_like_other_actors() {
        ActorFamily<Worker.Command> workers = ActorFamily.start(
                RIG.kit.system(),
                "workers",
                id -> RIG.retry()
                        .onRetry(retry -> probe.getRef().tell("retry"))
                        .around(Worker.reportingTo(probe.getRef())));
        workers.tell("w", new Worker.Work("a", 1));
        probe.expectMessage("a failed");
        probe.expectMessage("retry");
        RIG.time.timePasses(Duration.ofMillis(100));
        probe.expectMessage("a done");
    }
}
