package io.redrive.pipeline;

import static io.redrive.pipeline.StoreModel.check;

import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.RedrivenLetter.Result;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Redrive operations as their contract describes them: a frozen selection, of which each turn takes the oldest letters,
 * each letter once.
 */
final class RedriveModel {

    /** A selected letter: a death of an event. An event that died again has another letter. */
    private static final class Selected {
        private final StoreModel.Row row;
        private final int redrives;
        private Result result = Result.PENDING;

        Selected(StoreModel.Row row) {
            this.row = row;
            redrives = row.redrives;
        }

        boolean isLetter(StoreModel model) {
            return model.isCurrent(row) && row.state == StoreModel.State.DEAD && row.redrives == redrives;
        }

        @Override
        public String toString() {
            return row + " " + result;
        }
    }

    /** An operation. */
    private static final class Operation {
        private final List<Selected> selected = new ArrayList<>();
        private final Deque<Selected> pending = new ArrayDeque<>();
        private boolean active;
        private int redriven;
        private int gone;
        /** The index of its row in the record of actions. */
        private int action;
    }

    private final StoreModel model;
    private final EventStore store;
    private final Map<String, Operation> operations = new LinkedHashMap<>();

    RedriveModel(StoreModel model, EventStore store) {
        this.model = model;
        this.store = store;
    }

    /** Orders a redrive through the store, and starts it. */
    void order(List<DeadLetter> letters, RedrivePlan plan, Instant now) {
        LetterFilter filter =
                LetterFilter.ofIds(letters.stream().map(DeadLetter::id).toList());
        RedriveOrder order = RedriveOrder.of(filter, plan, "ann");
        boolean free = letters.stream().noneMatch(letter -> isPending(model.row(letter.event())));
        try {
            RedriveOperation preview = store.redrives().preview(order, now);
            check(free, "a letter is pending in one operation", order, operations);
            check(preview.counts().selected() == letters.size(), "the preview has the letters", preview, letters);
            store.redrives().change(order.id(), RedriveChange.START, order.command(), now);
        } catch (RedriveRefusedException e) {
            check(!free, "only a letter that is pending elsewhere refuses an operation", e, operations);
            return;
        }
        Operation operation = new Operation();
        letters.forEach(letter -> operation.selected.add(new Selected(model.row(letter.event()))));
        operation.pending.addAll(operation.selected);
        operation.active = true;
        operation.action = model.record("ann", "redrive", 0);
        operations.put(order.id(), operation);
    }

    private boolean isPending(StoreModel.Row row) {
        return operations.values().stream()
                .filter(operation -> operation.active)
                .flatMap(operation -> operation.pending.stream())
                .anyMatch(selected -> selected.row == row && selected.isLetter(model));
    }

    /** An operator changes an operation, whose state may forbid it. */
    void change(String id, RedriveChange change, Instant now) {
        RedriveState before = store.redrives().find(id).orElseThrow().state();
        try {
            RedriveState after = store.redrives()
                    .change(id, change, OperatorCommand.by("bob"), now)
                    .state();
            operations.get(id).active = after.isActive();
            if (!after.equals(before)) {
                model.record("bob", change.action(), 0);
            }
        } catch (RedriveRefusedException e) {
            check(!before.isActive(), "a running operation can be changed", e);
        }
    }

    List<String> ids() {
        return List.copyOf(operations.keySet());
    }

    /** A node took a turn. */
    void turned(RedriveTurn turn, Instant now) {
        if (turn instanceof RedriveTurn.Taken taken) {
            RedriveOperation stored = taken.operation();
            Operation operation = operations.get(stored.id());
            check(operation != null, "only an operation that was started takes turns", stored);
            check(operation.active || taken.sent() == 0, "only an active operation sends letters", stored);
            send(operation, taken, now);
            operation.active = stored.state().isActive();
            RedriveCounts counts = stored.counts();
            check(counts.selected() == operation.selected.size(), "a frozen selection never grows", stored);
            check(counts.redriven() == operation.redriven, "each letter is redriven once", stored, operation.selected);
            check(counts.gone() == operation.gone, "only letters that others took are gone", stored);
            check(counts.underWay() >= 0 && counts.pending() >= 0, "results are counted once", counts);
        }
    }

    private void send(Operation operation, RedriveTurn.Taken taken, Instant now) {
        int sent = 0;
        long gone = taken.operation().counts().gone() - operation.gone;
        while (sent < taken.sent() || gone > 0) {
            Selected next = operation.pending.pollFirst();
            check(next != null, "a frozen selection never grows", taken);
            if (next.isLetter(model)) {
                next.result = Result.REDRIVEN;
                model.revive(next.row, now);
                sent++;
            } else {
                next.result = Result.GONE;
                operation.gone++;
                gone--;
            }
        }
        check(sent == taken.sent() && gone == 0, "the oldest pending letters are sent", taken, operation.selected);
        operation.redriven += sent;
        model.grow(operation.action, sent);
    }

    /** A life of an event ended: the operation that redrove it gets a result. */
    void ended(StoreModel.Row row, StoreModel.State state) {
        for (Operation operation : operations.values()) {
            for (Selected selected : operation.selected) {
                boolean its = selected.row == row && selected.result == Result.REDRIVEN;
                if (its && selected.redrives + 1 == row.redrives) {
                    selected.result = state == StoreModel.State.DONE ? Result.DONE : Result.DEAD_AGAIN;
                }
            }
        }
    }

    /** Returns true while an operation sends letters, or has not heard of an event's end. */
    boolean hasWork() {
        return store.redrives().list(1_000).stream()
                .anyMatch(operation -> operation.state() instanceof RedriveState.Running
                        || operation.counts().underWay() > 0);
    }

    /** Every letter has the result that its event had. */
    void compare() {
        for (Map.Entry<String, Operation> entry : operations.entrySet()) {
            List<Result> found = store.redrives().letters(entry.getKey(), 0, 1_000).stream()
                    .map(RedrivenLetter::result)
                    .toList();
            List<Result> expected =
                    entry.getValue().selected.stream().map(each -> each.result).toList();
            check(found.equals(expected), "each letter has its result", found, expected);
        }
    }
}
