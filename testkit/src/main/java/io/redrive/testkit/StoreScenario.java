package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A small working day of a store: a worker publishes eight events and settles them; some are retried, snoozed or
 * released; one dies and is redriven. The worker's decision depends only on the claim, so the day can be interrupted at
 * any call and continued by another worker.
 */
final class StoreScenario {

    private static final int MAX_ROUNDS = 100;
    private static final Duration ROUND = Duration.ofSeconds(10);

    private final StoreDriver on;
    private final List<Event> events;
    private final Runnable beforeCall;
    private final boolean patient;

    private StoreScenario(StoreDriver on, List<Event> events, Runnable beforeCall, boolean patient) {
        this.on = on;
        this.events = events;
        this.beforeCall = beforeCall;
        this.patient = patient;
    }

    /** A worker that repeats a failed call. */
    static StoreScenario patient(StoreDriver on) {
        return new StoreScenario(on, story(on), () -> {}, true);
    }

    /** A worker that dies of a failed call. */
    StoreScenario impatient() {
        return new StoreScenario(on, events, beforeCall, false);
    }

    /** Runs {@code disturbance} before each call. */
    StoreScenario disturbedBy(Runnable disturbance) {
        return new StoreScenario(on, events, disturbance, patient);
    }

    /** The same events and clock with another store object. */
    StoreScenario on(EventStore store) {
        return new StoreScenario(on.on(store), events, beforeCall, patient);
    }

    private static List<Event> story(StoreDriver on) {
        return List.of(
                on.event("plain").build(),
                on.event("flaky").build(),
                on.event("broken").build(),
                on.event("put-off").build(),
                on.event("handed-back").build(),
                on.event("late").delay(Duration.ofSeconds(25)).build(),
                on.event("first").orderingKey("k").priority(Priority.LOW).build(),
                on.event("second").orderingKey("k").priority(Priority.CRITICAL).build());
    }

    private Settlement handle(Claim claim) {
        switch (claim.event().id()) {
            case "flaky", "first" -> {
                return claim.attempts().failed() == 0
                        ? on.retryOf(claim, Duration.ofSeconds(5))
                        : new Settlement.Done(claim);
            }
            case "broken" -> {
                return claim.redrives() == 0 ? on.deadOf(claim) : new Settlement.Done(claim);
            }
            case "put-off" -> {
                boolean early = on.time().now().isBefore(claim.event().created().plus(ROUND));
                return early
                        ? new Settlement.Snooze(claim, claim.event().created().plus(ROUND))
                        : new Settlement.Done(claim);
            }
            case "handed-back" -> {
                return claim.attempts().interrupted() == 0 ? new Settlement.Release(claim) : new Settlement.Done(claim);
            }
            default -> {
                return new Settlement.Done(claim);
            }
        }
    }

    /** Works until every event is done. */
    void run() {
        call(() -> on.publish(events));
        int idle = 0;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            idle = work() == 0 ? idle + 1 : 0;
            StoreStats stats = call(on::stats);
            if (isFinished(stats)) {
                return;
            }
            // Longer and longer steps while no event is due: after a clock was set back an hour, few rounds catch up.
            on.pass(ROUND.multipliedBy(1L << Math.min(idle, 8)));
        }
        throw new AssertionError("not finished after " + MAX_ROUNDS + " rounds: " + on.stats());
    }

    private int work() {
        int worked = call(() -> on.store().recover(on.time().now()));
        for (Lane lane : Lane.values()) {
            List<Claim> claims = call(() -> on.claim(lane, 3));
            List<Settlement> settlements = new ArrayList<>();
            claims.forEach(claim -> settlements.add(handle(claim)));
            if (!claims.isEmpty()) {
                call(() -> on.store().settle(settlements, on.time().now()));
            }
            worked += claims.size();
        }
        return worked + call(() -> on.redrive(LetterFilter.ALL));
    }

    private <T> T call(Supplier<T> action) {
        beforeCall.run();
        try {
            return action.get();
        } catch (FaultyStore.Fault fault) {
            if (patient) {
                return action.get();
            }
            throw fault;
        }
    }

    /** Asserts: every event took effect once, in order, and the store is empty. */
    void assertFinished(StoreLedger ledger) {
        List<String> lines = ledger.lines();
        for (Event event : events) {
            assertThat(lines).containsOnlyOnce("accepted " + event.id(), "done " + event.id());
        }
        assertThat(lines).containsOnlyOnce("retry flaky", "retry first", "dead broken");
        assertThat(lines.stream().filter(line -> line.startsWith("retry ") || line.startsWith("dead ")))
                .hasSize(3);
        assertThat(lines.indexOf("done first")).isLessThan(lines.indexOf("done second"));
        assertThat(isFinished(on.stats())).isTrue();
        assertThat(on.claimEverything()).isEmpty();
        assertThat(on.publish(events)).containsOnly(PublishResult.DUPLICATE);
        assertThat(on.letters().actions(10))
                .filteredOn(action -> action.action().equals("redrive") && action.letters() > 0)
                .extracting(OperatorAction::letters)
                .containsExactly(1L);
    }

    private static boolean isFinished(StoreStats stats) {
        return stats.equals(new StoreStats(0, 0, 0, 0, Duration.ZERO));
    }
}
