package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** {@link RepairOperations} on a store. */
final class StoredRepairs implements RepairOperations {

    /** Letters come with payloads, so pages are small. */
    private static final int PAGE = 50;

    private final Desk desk;

    StoredRepairs(Desk desk) {
        this.desk = desk;
    }

    @Override
    public RepairPreview preview(
            LetterSelection selection, RepairExpression expression, int samples, LongConsumer progress) {
        if (samples < 0 || samples > RepairPreview.MAX_SAMPLES) {
            throw new IllegalArgumentException(
                    "samples must be 0 to " + RepairPreview.MAX_SAMPLES + ", got " + samples);
        }
        desk.read();
        Preview letters = new StoredLetters(desk).preview(selection);
        List<RepairPreview.Sample> changed = new ArrayList<>();
        List<RepairPreview.Failure> failing = new ArrayList<>();
        RepairCounts counts = RepairCounts.NONE;
        long last = 0;
        for (List<DeadLetter> page = page(letters, last, Long.MAX_VALUE, 0);
                !page.isEmpty();
                page = page(letters, last, Long.MAX_VALUE, counts.letters())) {
            for (DeadLetter letter : page) {
                byte[] before = letter.event().payload();
                RepairOutcome outcome = expression.apply(before);
                counts = counts.plus(RepairCounts.of(outcome));
                if (outcome instanceof RepairOutcome.Changed change && changed.size() < samples) {
                    changed.add(new RepairPreview.Sample(
                            letter.id(),
                            letter.event().name(),
                            letter.event().contentType(),
                            shown(letter, before),
                            shown(letter, change.payload())));
                } else if (outcome instanceof RepairOutcome.Failed failed
                        && failing.size() < RepairPreview.MAX_SAMPLES) {
                    failing.add(new RepairPreview.Failure(
                            letter.id(), desk.redaction().text(failed.reason(), letter.event())));
                }
            }
            last = lastOf(page);
            progress.accept(counts.letters());
        }
        return new RepairPreview(letters, last, counts, changed, failing);
    }

    private byte[] shown(DeadLetter letter, byte[] payload) {
        return desk.redaction().payload(payload, letter.event().contentType());
    }

    @Override
    public RepairCounts apply(RepairPreview preview, RepairExpression expression, LongConsumer progress) {
        LetterFilter filter = preview.letters().filter();
        OperatorCommand command = desk.command(Verb.REPAIR, filter.describe() + "; expression " + expression.text());
        return change(
                Verb.REPAIR,
                command,
                preview.letters(),
                preview.lastId(),
                progress,
                letter -> expression.apply(letter.event().payload()));
    }

    @Override
    public RepairCounts revert(Preview preview, LongConsumer progress) {
        OperatorCommand command = desk.command(Verb.REVERT, preview.filter().describe());
        return change(Verb.REVERT, command, preview, Long.MAX_VALUE, progress, this::beforeRepair);
    }

    private RepairOutcome beforeRepair(DeadLetter letter) {
        List<LetterVersion> versions = desk.store().deadLetters().versions(letter.id());
        return versions.stream()
                .skip(Math.max(0, versions.size() - 1))
                .filter(last -> last.action().equals(Verb.REPAIR.code()))
                .filter(last -> !Arrays.equals(last.payload(), letter.event().payload()))
                .findFirst()
                .<RepairOutcome>map(last -> new RepairOutcome.Changed(last.payload()))
                .orElseGet(RepairOutcome.Unchanged::new);
    }

    private RepairCounts change(
            Verb verb,
            OperatorCommand command,
            Preview letters,
            long lastId,
            LongConsumer progress,
            Function<DeadLetter, RepairOutcome> effect) {
        RepairCounts counts = RepairCounts.NONE;
        long last = 0;
        for (List<DeadLetter> page = page(letters, last, lastId, 0);
                !page.isEmpty();
                page = page(letters, last, lastId, counts.letters())) {
            counts = counts.plus(changePage(verb, command, page, effect));
            last = lastOf(page);
            progress.accept(counts.letters());
        }
        desk.record(command, verb, counts.toString());
        return counts;
    }

    private RepairCounts changePage(
            Verb verb, OperatorCommand command, List<DeadLetter> page, Function<DeadLetter, RepairOutcome> effect) {
        List<PayloadChange> changes = new ArrayList<>();
        RepairCounts counts = RepairCounts.NONE;
        for (DeadLetter letter : page) {
            RepairOutcome outcome = effect.apply(letter);
            Optional<PayloadChange> change = outcome instanceof RepairOutcome.Changed changed
                    ? Optional.of(new PayloadChange(letter.id(), letter.event().payload(), changed.payload()))
                    : Optional.empty();
            change.ifPresent(changes::add);
            counts = change.isPresent() ? counts : counts.plus(RepairCounts.of(outcome));
        }
        int changed = desk.store()
                .deadLetters()
                .replace(changes, verb.code(), command, desk.now())
                .size();
        return counts.plus(new RepairCounts(changed, 0, 0, changes.size() - changed));
    }

    /** Returns the next letters of a preview; empty at its end. */
    private List<DeadLetter> page(Preview letters, long after, long lastId, long done) {
        DeadLetters store = desk.store().deadLetters();
        int most = (int) Math.min(PAGE, letters.letters() - done);
        return most < 1
                ? List.of()
                : store.list(letters.filter(), after, most).stream()
                        .filter(letter -> letter.id() <= lastId)
                        .toList();
    }

    private static long lastOf(List<DeadLetter> page) {
        return page.get(page.size() - 1).id();
    }
}
