package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.HandledEvent;
import io.redrive.events.HandledSamples;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.cause.Cause;
import io.redrive.operations.difference.Comparison;
import io.redrive.operations.difference.Counts;
import io.redrive.operations.difference.Difference;
import io.redrive.operations.difference.EventDocument;
import io.redrive.operations.difference.EventDocumentReader;
import io.redrive.operations.difference.LetterOddities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Reads letters and handled events from a store, and compares them. */
final class DifferenceFinder {

    /** The most handled events of a comparison, of all names together: an answer takes no longer with more names. */
    static final int MAX_HANDLED = 2_000;

    private final EventStore store;
    private final Instant now;
    private final UnaryOperator<Event> redaction;

    /**
     * Creates a finder.
     *
     * @param redaction replaces what must not be shown, in letters and in handled events
     */
    DifferenceFinder(EventStore store, Instant now, UnaryOperator<Event> redaction) {
        this.store = store;
        this.now = now;
        this.redaction = redaction;
    }

    /** Returns a finder in the store of a desk. */
    static DifferenceFinder at(Desk desk) {
        return new DifferenceFinder(desk.store(), desk.now(), desk.redaction()::event);
    }

    CauseDifferences ofCause(CauseView view) {
        Cause cause = view.cause();
        List<DeadLetter> letters =
                LetterSample.newest(store.deadLetters(), LetterFilter.ALL.withFingerprint(cause.fingerprint()));
        Map<String, List<DeadLetter>> byName = new LinkedHashMap<>();
        letters.forEach(letter -> byName.computeIfAbsent(letter.event().name(), name -> new ArrayList<>())
                .add(letter));
        int handledOfEach = Math.min(
                HandledSamples.MAX_PER_NAME,
                MAX_HANDLED / Math.max(1, Math.min(CauseDifferences.MAX_NAMES, byName.size())));
        List<NameDifferences> names = byName.entrySet().stream()
                .sorted(Comparator.comparingInt(named -> -named.getValue().size()))
                .limit(CauseDifferences.MAX_NAMES)
                .map(named -> ofName(cause, named.getKey(), named.getValue(), handledOfEach))
                .toList();
        int compared = names.stream().mapToInt(NameDifferences::letters).sum();
        return new CauseDifferences(cause, Math.max(view.letters(), letters.size()), compared, names);
    }

    private NameDifferences ofName(Cause cause, String name, List<DeadLetter> letters, int handledAtMost) {
        List<HandledEvent> handled = store.samples().newest(name, handledAtMost);
        return compared(name, letters, handled, reader -> {
            List<EventDocument> documents =
                    letters.stream().map(letter -> document(reader, letter)).toList();
            return Comparison.of(documents, documents(reader, handled), List.of(versions(cause, name, handled)));
        });
    }

    /** Compares one letter with the handled events of its name. */
    NameDifferences ofLetter(DeadLetter letter) {
        String name = letter.event().name();
        List<HandledEvent> handled = store.samples().newest(name, HandledSamples.MAX_PER_NAME);
        return compared(
                name,
                List.of(letter),
                handled,
                reader -> LetterOddities.of(document(reader, letter), documents(reader, handled)));
    }

    private NameDifferences compared(
            String name,
            List<DeadLetter> letters,
            List<HandledEvent> handled,
            Function<EventDocumentReader, List<Difference>> compare) {
        return new NameDifferences(
                name,
                letters.size(),
                period(letters.stream().map(DeadLetter::deadAt).toList()).orElseThrow(),
                handled.size(),
                period(handled.stream().map(HandledEvent::handledAt).toList()),
                handledLately(name),
                Comparison.canTell(letters.size(), handled.size()),
                handled.isEmpty() ? List.of() : compare.apply(new EventDocumentReader()));
    }

    private List<EventDocument> documents(EventDocumentReader reader, List<HandledEvent> handled) {
        return handled.stream().map(each -> reader.handled(redacted(each))).toList();
    }

    /** Applies the rules again: the rules for showing may be others than the rules for storing, or newer. */
    private HandledEvent redacted(HandledEvent handled) {
        Event event = handled.event();
        // Rules for fields need JSON, and the beginning of JSON is none.
        Event readable = handled.isCut()
                ? JsonBeginning.closed(event.payload())
                        .map(json -> event.toBuilder()
                                .payload(json, event.contentType())
                                .build())
                        .orElse(event)
                : event;
        Event shown = redaction.apply(readable);
        if (shown == readable) {
            return handled;
        }
        Event kept = HandledEvent.beginningOf(shown);
        // A cut payload stays one, however long its replacements are.
        int size = handled.isCut() ? Math.max(handled.payloadSize(), kept.payloadSize() + 1) : shown.payloadSize();
        return new HandledEvent(kept, size, handled.handledAt(), handled.node(), handled.version());
    }

    /** Takes the payload that died, not the payload as edited since. */
    private EventDocument document(EventDocumentReader reader, DeadLetter letter) {
        Event event = letter.event();
        Event died = letter.originalPayload()
                .map(original ->
                        event.toBuilder().payload(original, event.contentType()).build())
                .orElse(event);
        return reader.letter(redaction.apply(died), letter);
    }

    private static Counts versions(Cause cause, String name, List<HandledEvent> handled) {
        Map<String, Long> died = new HashMap<>();
        cause.sightings().stream()
                .filter(sighting -> sighting.name().equals(name))
                .forEach(sighting -> sighting.version()
                        .ifPresent(version -> died.merge(version.text(), sighting.letters(), Long::sum)));
        Map<String, Long> ended = new HashMap<>();
        handled.forEach(each -> each.version().ifPresent(version -> ended.merge(version.text(), 1L, Long::sum)));
        return Counts.ofVersions(died, ended);
    }

    private long handledLately(String name) {
        // By the hour: the rows of two days of minutes would take long to read.
        Instant from = ActivityPeriod.HOUR.startOf(now.minus(ActivityPeriod.MINUTE.kept()));
        NamePattern pattern = new NamePattern(name);
        ActivityQuery query =
                new ActivityQuery(ActivityPeriod.HOUR, from, now).named(pattern.lowest(), pattern.beyond());
        return store.activity().counts(query).done();
    }

    private static Optional<NameDifferences.Period> period(List<Instant> moments) {
        return moments.isEmpty()
                ? Optional.empty()
                : Optional.of(new NameDifferences.Period(
                        moments.stream().min(Comparator.naturalOrder()).orElseThrow(),
                        moments.stream().max(Comparator.naturalOrder()).orElseThrow()));
    }
}
