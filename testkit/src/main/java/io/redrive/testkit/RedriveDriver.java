package io.redrive.testkit;

import io.redrive.core.ManualTime;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** A store with dead letters, and short methods for the steps of redrive operations. */
record RedriveDriver(StoreDriver on) {

    static final Duration SECOND = Duration.ofSeconds(1);
    /** More turns than any operation of the contract takes. */
    private static final int MAX_TURNS = 10_000;

    Redrives redrives() {
        return on.store().redrives();
    }

    ManualTime time() {
        return on.time();
    }

    /** Lets so many events die of the same cause. */
    void letters(int count) {
        on.publishMany(count);
        on.settleAll(on::deadOf);
    }

    List<Long> letterIds() {
        return on.all().stream().map(DeadLetter::id).toList();
    }

    static RedriveOrder order(LetterFilter filter, RedrivePlan plan) {
        return filter.equals(LetterFilter.ALL)
                ? RedriveOrder.ofAllLetters(plan, "ann")
                : RedriveOrder.of(filter, plan, "ann");
    }

    RedriveOperation preview(LetterFilter filter, RedrivePlan plan) {
        return redrives().preview(order(filter, plan), time().now());
    }

    /** Previews and starts an operation on all letters. */
    String start(RedrivePlan plan) {
        String id = preview(LetterFilter.ALL, plan).id();
        change(id, RedriveChange.START);
        return id;
    }

    RedriveOperation change(String id, RedriveChange change) {
        return redrives().change(id, change, OperatorCommand.by("ann"), time().now());
    }

    RedriveTurn turn() {
        return redrives().turn("node-1", time().now());
    }

    /** Takes all turns that are due now. */
    void turns() {
        for (int i = 0; i < MAX_TURNS; i++) {
            if (turn() instanceof RedriveTurn.Idle) {
                return;
            }
        }
        throw new AssertionError("an operation is due for ever: " + redrives().list(10));
    }

    /** Takes all turns that are due, a second later. */
    RedriveOperation nextSecond(String id) {
        on.pass(SECOND);
        turns();
        return operation(id);
    }

    /** Takes turns, second by second, while the condition holds. */
    RedriveOperation turnsWhile(String id, Predicate<RedriveOperation> condition) {
        turns();
        for (int i = 0; i < MAX_TURNS && condition.test(operation(id)); i++) {
            nextSecond(id);
        }
        return operation(id);
    }

    RedriveOperation operation(String id) {
        return redrives().find(id).orElseThrow();
    }

    RedriveState state(String id) {
        return operation(id).state();
    }

    List<RedrivenLetter.Result> results(String id) {
        return redrives().letters(id, 0, 1_000).stream()
                .map(RedrivenLetter::result)
                .toList();
    }

    /** Handles all events that may be claimed. */
    void handle() {
        for (List<Claim> claims = on.claim(); !claims.isEmpty(); claims = on.claim()) {
            claims.forEach(on::done);
        }
    }
}
