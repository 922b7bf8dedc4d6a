package io.redrive.pekko;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryListener;
import io.redrive.events.AbandonedEvent;
import io.redrive.pekko.Worker.Command;
import io.redrive.pekko.Worker.Stop;
import io.redrive.pekko.Worker.Work;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Circuit breaker and retry budget around the messages of an actor. */
final class BreakerAndBudgetTest {

    private static final Rig RIG = new Rig();

    private final TestProbe<String> probe = RIG.probe();
    private final ManualTime time = new ManualTime();
    private final CircuitBreaker breaker = CircuitBreaker.builder("api")
            .failureCount(2)
            .openFor(ofSeconds(30))
            .trialCalls(1)
            .time(time)
            .build();

    @AfterAll
    static void stop() {
        RIG.close();
    }

    private ActorRef<Command> spawn(RetryBehavior<Command> retry) {
        return RIG.spawn(Behaviors.supervise(retry.around(Worker.reportingTo(probe.getRef())))
                .onFailure(SupervisorStrategy.resume()));
    }

    private void exhaust(ActorRef<Command> worker, String id) {
        worker.tell(new Work(id, 3));
        probe.expectMessage(id + " failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage(id + " failed");
        RIG.pass(ofMillis(200), worker);
        probe.expectMessage(id + " failed");
    }

    private void becomes(CircuitBreaker.State state) {
        Awaitility.await()
                .atMost(Rig.PATIENCE)
                .untilAsserted(() -> assertThat(breaker.state()).isEqualTo(state));
    }

    @Test
    void a_message_with_its_retries_counts_once_in_the_breaker() {
        ActorRef<Command> worker = spawn(RIG.retry().withCircuitBreaker(breaker));
        exhaust(worker, "a");
        RIG.pass(ofMillis(1), worker);
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
        exhaust(worker, "b");
        becomes(CircuitBreaker.State.OPEN);
    }

    @Test
    void an_open_breaker_drops_messages_and_the_actor_lives_on() {
        TestProbe<Dropped> dropped = RIG.eventsOf(Dropped.class);
        ActorRef<Command> worker = spawn(RIG.retry().named("caller").withCircuitBreaker(breaker));
        breaker.open();
        worker.tell(new Work("a", 0));
        Dropped event = dropped.receiveMessage(Rig.PATIENCE);
        assertThat(event.message()).isInstanceOf(Work.class);
        assertThat(event.reason()).isEqualTo("circuit breaker 'api' of caller is open");
        time.advance(ofSeconds(30));
        worker.tell(new Work("b", 0));
        probe.expectMessage("b done");
        becomes(CircuitBreaker.State.CLOSED);
    }

    @Test
    void an_open_breaker_sends_messages_to_the_dead_letter_sink() {
        Queue<AbandonedEvent<Command>> letters = new ConcurrentLinkedQueue<>();
        ActorRef<Command> worker =
                spawn(RIG.retry().withCircuitBreaker(breaker).deadLetters(letters::add, message -> "key"));
        breaker.open();
        worker.tell(new Work("a", 0));
        Awaitility.await()
                .atMost(Rig.PATIENCE)
                .untilAsserted(() -> assertThat(letters).singleElement().satisfies(letter -> {
                    assertThat(letter.reason()).isEqualTo(Reason.CIRCUIT_OPEN);
                    assertThat(letter.attemptCount()).isZero();
                    assertThat(letter.idempotencyKey()).isEqualTo("key");
                    assertThat(letter.errorType()).isEqualTo("CircuitOpenException");
                }));
    }

    @Test
    void a_function_can_answer_refused_messages() {
        ActorRef<Command> worker = spawn(RIG.retry().withCircuitBreaker(breaker, refused -> {
            probe.getRef().tell("refused: " + refused.reason().orElseThrow().code());
            return Behaviors.same();
        }));
        breaker.open();
        worker.tell(new Work("a", 0));
        probe.expectMessage("refused: circuit_open");
    }

    @Test
    void a_trial_call_cancelled_by_a_stop_is_free_for_another_actor() {
        breaker.open();
        time.advance(ofSeconds(30));
        ActorRef<Command> first = spawn(RIG.retry().only(Work.class).withCircuitBreaker(breaker));
        first.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        first.tell(new Stop());
        probe.expectMessage("stopped");
        ActorRef<Command> second = spawn(RIG.retry().withCircuitBreaker(breaker));
        Awaitility.await().atMost(Rig.PATIENCE).until(() -> {
            second.tell(new Work("b", 0));
            return breaker.state() == CircuitBreaker.State.CLOSED;
        });
    }

    @Test
    void a_message_of_an_earlier_phase_does_not_settle_the_trial_call_of_another_message() {
        ActorRef<Command> worker = spawn(RIG.retry().only(Work.class).withCircuitBreaker(breaker));
        worker.tell(new Work("a", 1));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(50), worker);
        breaker.open();
        time.advance(ofSeconds(30));
        worker.tell(new Work("trial", 1));
        probe.expectMessage("trial failed");
        RIG.pass(ofMillis(50), worker);
        probe.expectMessage("a done");
        RIG.doneBy(worker);
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        RIG.pass(ofMillis(50), worker);
        probe.expectMessage("trial done");
        becomes(CircuitBreaker.State.CLOSED);
    }

    @Test
    void a_spent_budget_ends_the_retries() {
        RetryBudget budget =
                RetryBudget.builder("api").reserve(1).size(1).share(0).build();
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        ActorRef<Command> worker = spawn(RIG.retry()
                .withBudget(budget)
                .onRetryExhausted(
                        end -> probe.getRef().tell("ended: " + end.reason().orElseThrow()))
                .listener(new RetryListener() {
                    @Override
                    public void onBudgetRefused(BudgetRefused event) {
                        heard.add(event.name() + " " + event.budget() + " " + event.attempt());
                    }
                }));
        worker.tell(new Work("a", 3));
        probe.expectMessage("a failed");
        RIG.pass(ofMillis(100), worker);
        probe.expectMessage("a failed");
        probe.expectMessage("ended: retry_budget_exhausted");
        assertThat(heard).containsExactly("Worker api 2");
    }

    @Test
    void each_message_earns_its_share_of_a_retry_with_its_first_attempt() {
        RetryBudget budget = RetryBudget.builder("shop").reserve(0).share(0.5).build();
        ActorRef<Command> worker = spawn(RIG.retry().withBudget(budget));
        for (String id : List.of("a", "b", "c", "d")) {
            worker.tell(new Work(id, 0));
            probe.expectMessage(id + " done");
        }
        assertThat(budget.tokens()).isEqualTo(2);
    }
}
