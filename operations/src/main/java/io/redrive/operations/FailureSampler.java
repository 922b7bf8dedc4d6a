package io.redrive.operations;

import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.PastFailure;
import io.redrive.operations.policy.FailureSample;
import io.redrive.operations.policy.PastEvent;
import io.redrive.operations.policy.PolicyDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the failures of the last day that a draft concerns: the newest letters, and the saved events among the last finished ones. */
final class FailureSampler {

    /** How far back failures are read. */
    static final Duration DAY = Duration.ofDays(1);

    /** The most saved events, each of which costs a query. */
    static final int MAX_SAVED = 300;

    private final EventStore store;
    private final PolicyDraft draft;
    private final Instant now;
    private final Instant since;
    private final List<PastEvent> events = new ArrayList<>();
    private int unreplayable;

    private FailureSampler(EventStore store, PolicyDraft draft, Instant now) {
        this.store = store;
        this.draft = draft;
        this.now = now;
        since = now.minus(DAY);
    }

    static FailureSample read(EventStore store, PolicyDraft draft, Instant now) {
        return new FailureSampler(store, draft, now).read();
    }

    private FailureSample read() {
        DeadLetters letters = store.deadLetters();
        LetterFilter filter = LetterFilter.ALL.withName(draft.pattern().text()).withTime(since, null);
        List<DeadLetter> newest = LetterSample.newest(letters, filter);
        boolean all = newest.isEmpty()
                || letters.newest(filter, newest.get(newest.size() - 1).id(), 1).isEmpty();
        newest.forEach(this::take);
        List<FinishedEvent> finished = finished(draft.pattern());
        Instant reach = take(finished);
        return new FailureSample(since, now, newest.size(), all, finished.size(), reach, unreplayable, events);
    }

    private void take(DeadLetter letter) {
        if (!draft.concerns(letter.event().name())) {
            return;
        }
        List<AttemptRecord> attempts = sinceRedrive(letter.history());
        if (!isPolicys(letter) || !isComplete(attempts, letter.attempts().failed())) {
            unreplayable++;
            return;
        }
        events.add(new PastEvent(
                letter.event().id(),
                letter.event().name(),
                OptionalLong.of(letter.id()),
                attempts.stream()
                        .map(attempt -> new PastEvent.Failed(attempt.at(), attempt.duration(), attempt.errorType()))
                        .toList(),
                letter.event().deadline(),
                Optional.empty()));
    }

    /** Only attempts and time are numbers of a policy. An event whose deadline passed while it waited was not attempted. */
    private static boolean isPolicys(DeadLetter letter) {
        return switch (letter.reason()) {
            case MAX_ATTEMPTS_EXCEEDED, TTL_EXCEEDED, TIMEOUT ->
                !letter.errorType().equals(letter.reason().code());
            default -> false;
        };
    }

    private static boolean isComplete(List<AttemptRecord> attempts, int failed) {
        return !attempts.isEmpty() && attempts.get(0).number() == 1 && attempts.size() == failed;
    }

    /** A redrive begins to count anew. */
    private static List<AttemptRecord> sinceRedrive(List<AttemptRecord> history) {
        int first = 0;
        for (int i = 0; i < history.size(); i++) {
            first = history.get(i).number() == 1 ? i : first;
        }
        return history.subList(first, history.size());
    }

    private List<FinishedEvent> finished(NamePattern pattern) {
        return pattern.isExact()
                ? store.journal().find(EventQuery.name(pattern.text()), Journal.MAX_PAGE).stream()
                        .filter(event -> !event.finished().isBefore(since))
                        .toList()
                : store.journal().latest(since, Journal.MAX_PAGE);
    }

    /** Takes the saved events, and returns how far back the taken ones reach. */
    private Instant take(List<FinishedEvent> finished) {
        int saved = 0;
        for (FinishedEvent event : finished) {
            if (event.failed() > 0 && draft.concerns(event.name())) {
                take(event);
                saved++;
                if (saved == MAX_SAVED) {
                    return event.finished();
                }
            }
        }
        if (finished.size() == Journal.MAX_PAGE) {
            return finished.get(finished.size() - 1).finished();
        }
        return store.journal()
                .since()
                .map(oldest -> oldest.isAfter(since) ? oldest : since)
                .orElse(now);
    }

    private void take(FinishedEvent event) {
        List<PastFailure> all = store.journal().failures(event);
        List<PastFailure> failures = all.subList(Math.max(0, all.size() - event.failed()), all.size());
        if (failures.size() != event.failed() || failures.get(0).number() != 1) {
            unreplayable++;
            return;
        }
        Instant done = event.finished().minus(event.duration());
        events.add(new PastEvent(
                event.id(),
                event.name(),
                OptionalLong.empty(),
                failures.stream()
                        .map(failure -> new PastEvent.Failed(failure.at(), failure.duration(), failure.errorType()))
                        .toList(),
                Optional.empty(),
                Optional.of(done)));
    }
}
