package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.JsonPayload;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterVersion;
import io.redrive.events.OperatorCommand;
import io.redrive.events.redaction.Redaction;
import io.redrive.pipeline.LetterArchive;
import io.redrive.pipeline.LetterRetention;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** {@link LetterOperations} on a store. */
final class StoredLetters implements LetterOperations {

    private static final int PURGED_AT_ONCE = 1_000;
    private final Desk desk;

    StoredLetters(Desk desk) {
        this.desk = desk;
    }

    @Override
    public List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit) {
        return desk.shown().letters(desk.read().deadLetters().newest(filter, beforeId, limit));
    }

    @Override
    public List<DeadLetter> oldest(LetterFilter filter, long afterId, int limit) {
        return desk.shown().letters(desk.read().deadLetters().list(filter, afterId, limit));
    }

    @Override
    public List<DeadLetter> oldestWithHistory(LetterFilter filter, long afterId, int limit) {
        return desk.shown().letters(desk.read().deadLetters().listWithHistory(filter, afterId, limit));
    }

    @Override
    public long count(LetterFilter filter) {
        return desk.read().deadLetters().count(filter);
    }

    @Override
    public List<LetterGroup> groups(LetterFilter filter, int limit) {
        return desk.shown().groups(desk.read().deadLetters().groups(filter, limit), filter);
    }

    @Override
    public Optional<DeadLetter> find(long id) {
        return desk.read().deadLetters().find(id).map(desk.redaction()::letter);
    }

    @Override
    public Optional<NameDifferences> differences(long id) {
        return find(id).map(DifferenceFinder.at(desk)::ofLetter);
    }

    @Override
    public List<LetterVersion> versions(long id) {
        DeadLetters letters = desk.read().deadLetters();
        List<LetterVersion> versions = letters.versions(id);
        if (versions.isEmpty() || desk.redaction().isEmpty()) {
            return versions;
        }
        String type =
                letters.find(id).map(letter -> letter.event().contentType()).orElse("");
        return versions.stream()
                .map(version -> desk.shown().version(version, type))
                .toList();
    }

    @Override
    public Preview preview(LetterSelection selection) {
        DeadLetters letters = desk.read().deadLetters();
        LetterFilter filter = selection.frozenAt(desk.now());
        long count = Math.min(letters.count(filter), selection.limit());
        return new Preview(filter, count, missing(letters, filter));
    }

    private static List<Long> missing(DeadLetters letters, LetterFilter filter) {
        TreeSet<Long> missing = new TreeSet<>(filter.ids());
        LetterFilter named = LetterFilter.ofIds(List.copyOf(missing));
        long last = 0;
        while (!missing.isEmpty()) {
            // Letters come with payloads, so pages are small.
            List<DeadLetter> page = letters.list(named, last, 100);
            page.forEach(letter -> missing.remove(letter.id()));
            if (page.isEmpty()) {
                break;
            }
            last = page.get(page.size() - 1).id();
        }
        return List.copyOf(missing);
    }

    @Override
    public boolean edit(long id, byte[] payload) {
        Optional<DeadLetter> letter = desk.permitted(Verb.EDIT).deadLetters().find(id);
        letter.map(found -> found.event().contentType())
                .filter(JsonPayload::isJson)
                .flatMap(type -> JsonPayload.complaint(payload)
                        .map(complaint -> "the new payload is not valid " + type + ": " + complaint))
                .ifPresent(complaint -> {
                    throw new IllegalArgumentException(complaint + "; nothing was changed");
                });
        letter.ifPresent(found -> requireSeen(found, payload));
        return letter.isPresent() && editUnchecked(id, payload);
    }

    /** A payload taken over from a redacted view would replace the secret by the replacement text. */
    private void requireSeen(DeadLetter letter, byte[] payload) {
        boolean hidden = letter.isRedacted()
                || !Arrays.equals(
                        desk.redaction()
                                .payload(
                                        letter.event().payload(), letter.event().contentType()),
                        letter.event().payload());
        if (hidden && new String(payload, StandardCharsets.UTF_8).contains(Redaction.REPLACEMENT)) {
            throw new IllegalArgumentException("the new payload must not contain " + Redaction.REPLACEMENT
                    + ", which stands for a value that was not shown: write the value, or change other fields with a repair;"
                    + " nothing was changed");
        }
    }

    @Override
    public boolean editUnchecked(long id, byte[] payload) {
        OperatorCommand command = desk.command(Verb.EDIT, "");
        return desk.store().deadLetters().edit(id, payload, command, desk.now());
    }

    @Override
    public long purge(Preview preview, LongConsumer progress) {
        OperatorCommand command = desk.command(Verb.PURGE, preview.filter().describe());
        long purged = 0;
        while (purged < preview.letters()) {
            int most = (int) Math.min(PURGED_AT_ONCE, preview.letters() - purged);
            int deleted = desk.store().deadLetters().purge(preview.filter(), most, command, desk.now());
            if (deleted == 0) {
                break;
            }
            purged += deleted;
            progress.accept(purged);
        }
        return purged;
    }

    @Override
    public List<LetterArchive.Sweep> retire(LetterRetention retention, LongConsumer progress) throws IOException {
        LetterArchive archive = new LetterArchive(desk.permitted(Verb.RETIRE).deadLetters(), retention);
        List<LetterArchive.Sweep> sweeps = new ArrayList<>();
        long deleted = 0;
        LetterArchive.Sweep sweep = archive.sweep(desk.command(Verb.RETIRE, ""), desk.now());
        while (sweep.letters() > 0) {
            sweeps.add(sweep);
            deleted += sweep.letters();
            progress.accept(deleted);
            sweep = archive.sweep(desk.command(Verb.RETIRE, ""), desk.now());
        }
        return sweeps;
    }

    @Override
    public LetterImport beginImport(String from) {
        return new StoredLetterImport(desk, desk.command(Verb.IMPORT, from));
    }
}
