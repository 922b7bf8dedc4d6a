package io.redrive.operations.policy;

import io.redrive.core.RetryPolicy;
import io.redrive.pipeline.EventPolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a draft would have done to past failures: the decisions of the policy after the change about recorded attempts.
 *
 * <p>The replay is a calculation, not a repetition. Limits:
 *
 * <ul>
 *   <li>Recorded attempts fail again, and the recorded success succeeds, though both would come at other times.
 *   <li>A letter that gets a further attempt has no end: nobody recorded how that attempt ends.
 *   <li>Attempts, backoff, jitter and the limits of time are replayed. Rules about kinds of failures ({@code retry-on} and its
 *       relatives) are not: records hold no exceptions.
 *   <li>Delays that a handler or a {@code Retry-After} header asked for are not in the record: waits are the policy's own, at the middle
 *       of their jitter, and attempts begin when they are due.
 * </ul>
 *
 * {@link #reproduced} shows how much these limits matter: the replay of the policy in force should give the recorded ends.
 *
 * @param sample the past events
 * @param ends the number of events for each end
 * @param reproduced the number of events for which the policy in force gives the recorded end
 * @param recordedAttempts the recorded attempts of handlers
 * @param replayedAttempts the least number of attempts after the change
 * @param recordedWaits the recorded waits of the saved events that are saved again
 * @param replayedWaits the waits of these events after the change
 * @param examples some events whose end would be another
 */
public record PolicyReplay(
        FailureSample sample,
        Map<ReplayedEnd, Integer> ends,
        int reproduced,
        long recordedAttempts,
        long replayedAttempts,
        Waits recordedWaits,
        Waits replayedWaits,
        List<Example> examples) {

    /** The most examples for each end. */
    public static final int MAX_EXAMPLES = 5;

    /**
     * The waits of events between their first and their last attempt.
     *
     * @param median half of the events waited at most this long
     * @param longest the longest wait
     */
    public record Waits(Duration median, Duration longest) {

        static Waits of(List<Duration> waits) {
            List<Duration> sorted = waits.stream().sorted().toList();
            return sorted.isEmpty()
                    ? new Waits(Duration.ZERO, Duration.ZERO)
                    : new Waits(sorted.get((sorted.size() - 1) / 2), sorted.get(sorted.size() - 1));
        }
    }

    /**
     * An event whose end would be another.
     *
     * @param event the event
     * @param attempts the attempts after the change
     * @param end the end after the change
     */
    public record Example(PastEvent event, int attempts, ReplayedEnd end) {}

    /** Copies the numbers. */
    public PolicyReplay {
        ends = Map.copyOf(ends);
        examples = List.copyOf(examples);
    }

    /** Replays a sample under the policies of a draft. Pure: the same arguments give the same result. */
    public static PolicyReplay of(FailureSample sample, PolicyDraft draft) {
        List<ReplayedEvent> after = replayed(sample, draft.after());
        Map<ReplayedEnd, Integer> ends = new EnumMap<>(ReplayedEnd.class);
        after.forEach(event -> ends.merge(event.end(), 1, Integer::sum));
        List<ReplayedEvent> saved = after.stream()
                .filter(event -> event.end() == ReplayedEnd.DONE_ALIKE)
                .toList();
        return new PolicyReplay(
                sample,
                ends,
                (int) replayed(sample, draft.before()).stream()
                        .filter(event -> event.end().isAsRecorded())
                        .count(),
                sample.events().stream().mapToLong(PolicyReplay::attempts).sum(),
                after.stream().mapToLong(ReplayedEvent::attempts).sum(),
                Waits.of(saved.stream().map(event -> event.event().waited()).toList()),
                Waits.of(saved.stream().map(ReplayedEvent::waited).toList()),
                examples(after));
    }

    private static List<ReplayedEvent> replayed(FailureSample sample, EventPolicies policies) {
        Function<PastEvent, RetryPolicy> policy = event -> policies.policyFor(event.name());
        return sample.events().stream()
                .map(event -> ReplayedEvent.of(event, policy.apply(event)))
                .toList();
    }

    private static int attempts(PastEvent event) {
        return event.failures().size() + (event.isSaved() ? 1 : 0);
    }

    private static List<Example> examples(List<ReplayedEvent> events) {
        List<Example> examples = new ArrayList<>();
        for (ReplayedEnd end : ReplayedEnd.values()) {
            if (!end.isAsRecorded()) {
                events.stream()
                        .filter(event -> event.end() == end)
                        .limit(MAX_EXAMPLES)
                        .forEach(event -> examples.add(new Example(event.event(), event.attempts(), end)));
            }
        }
        return examples;
    }

    /** Returns the number of events with this end. */
    public int count(ReplayedEnd end) {
        return ends.getOrDefault(end, 0);
    }

    /** Returns the number of events that were replayed. */
    public int replayed() {
        return sample.events().size();
    }
}
