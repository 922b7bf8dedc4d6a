package io.redrive.operations;

import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
import io.redrive.pipeline.RedriveRunner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@link RedriveOperations} on a store. */
final class StoredRedrives implements RedriveOperations {

    /** Short, so that a caller that wants to stop need not wait. */
    private static final Duration NAP = Duration.ofMillis(200);

    private final Desk desk;

    StoredRedrives(Desk desk) {
        this.desk = desk;
    }

    @Override
    public RedriveOperation preview(LetterSelection letters, RedrivePlan plan, Consumer<RedriveOperation> progress) {
        Redrives redrives = desk.permitted(Verb.REDRIVE).redrives();
        RedriveOrder order = order(letters, plan);
        RedriveOperation operation = redrives.select(order, desk.now());
        while (operation.state() instanceof RedriveState.Selecting) {
            progress.accept(operation);
            operation = redrives.select(order, desk.now());
        }
        return operation;
    }

    @Override
    public long leftOut(LetterSelection letters) {
        return letters.filter().redacted().isPresent()
                ? 0
                : desk.read().deadLetters().count(letters.filter().withRedacted(LetterFilter.Redacted.ONLY));
    }

    @Override
    public Preview look(LetterSelection letters) {
        desk.read();
        return new StoredLetters(desk).preview(guarded(letters));
    }

    @Override
    public long overtaken(LetterSelection letters) {
        EventStore store = desk.read();
        return letters.includesOvertaken() || guarded(letters) == letters
                ? 0
                : store.deadLetters().count(letters.frozenAt(desk.now()).withOvertaken(true));
    }

    /** Leaves overtaken letters out. A store that remembers no finished event has none. */
    private LetterSelection guarded(LetterSelection letters) {
        return desk.store().journal().since().isPresent() ? letters.forRedrive() : letters;
    }

    private RedriveOrder order(LetterSelection chosen, RedrivePlan plan) {
        LetterSelection letters = guarded(chosen);
        RedrivePlan limited = plan.withLimit(Math.min(plan.limit(), letters.limit()));
        String name = desk.operator().name();
        RedriveOrder order = letters.filter().equals(LetterFilter.ALL)
                ? RedriveOrder.ofAllLetters(limited, name)
                : RedriveOrder.of(letters.filter(), limited, name);
        return order.from(desk.operator().origin());
    }

    @Override
    public RedriveOperation start(String id) {
        return change(id, RedriveChange.START, Verb.REDRIVE);
    }

    @Override
    public RedriveOperation pause(String id) {
        return change(id, RedriveChange.PAUSE, Verb.PAUSE_REDRIVE);
    }

    @Override
    public RedriveOperation resume(String id) {
        return change(id, RedriveChange.RESUME, Verb.RESUME_REDRIVE);
    }

    @Override
    public RedriveOperation cancel(String id) {
        return change(id, RedriveChange.CANCEL, Verb.CANCEL_REDRIVE);
    }

    @Override
    public RedriveOperation dismiss(String id) {
        RedriveOperation dismissed = change(id, RedriveChange.DISMISS, Verb.DISMISS_REDRIVE);
        int removed = desk.store().redrives().sweep(desk.now());
        while (removed > 0) {
            removed = desk.store().redrives().sweep(desk.now());
        }
        return dismissed;
    }

    private RedriveOperation change(String id, RedriveChange change, Verb verb) {
        return desk.permitted(verb).redrives().change(id, change, desk.command(verb, ""), desk.now());
    }

    @Override
    public List<RedriveOperation> list(int limit) {
        return desk.read().redrives().list(limit);
    }

    @Override
    public Optional<RedriveOperation> find(String id) {
        return desk.read().redrives().find(id);
    }

    @Override
    public List<RedrivenLetter> letters(String id, long afterLetter, int limit) {
        return desk.read().redrives().letters(id, afterLetter, limit);
    }

    @Override
    public Optional<RedriveOperation> follow(
            String id, Predicate<RedriveOperation> until, Consumer<RedriveOperation> progress)
            throws InterruptedException {
        Redrives redrives = desk.permitted(Verb.REDRIVE).redrives();
        RedriveRunner runner = new RedriveRunner(redrives, desk.operator().name());
        Optional<RedriveOperation> found = redrives.find(id);
        while (found.isPresent()) {
            progress.accept(found.get());
            if (until.test(found.get())) {
                return found;
            }
            runner.work(desk.now());
            Duration wait = Duration.between(desk.now(), runner.next());
            if (wait.compareTo(Duration.ZERO) > 0) {
                desk.time().sleep(wait.compareTo(NAP) < 0 ? wait : NAP);
            }
            found = redrives.find(id);
        }
        return found;
    }
}
