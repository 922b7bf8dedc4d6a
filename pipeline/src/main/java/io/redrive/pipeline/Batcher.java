package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Puts claims together by key, size and age. Pure bookkeeping: no clock, no threads.
 *
 * <p>A batch leaves when it is full or has waited its time. A partial batch also leaves when a handler is idle and no
 * more claims are expected: waiting would add latency and gain nothing. So a lone event in an idle pipeline is handled
 * at once, and batches fill by themselves when handlers are busy. Keys take turns: a source that always has a full
 * batch does not hold up a source that never has.
 */
final class Batcher {

    private final Profile profile;
    private final Map<Batch.Key, Deque<Waiting>> filling = new LinkedHashMap<>();
    /** The key of the last added claim: most claims have the same key, as the same object, one after another. */
    private Batch.@Nullable Key lastKey;

    /** The claims of {@link #lastKey}. */
    private Deque<Waiting> lastFilled = new ArrayDeque<>();

    private record Waiting(Claim claim, Instant since) {}

    Batcher(Profile profile) {
        this.profile = profile;
    }

    void add(Batch.Key key, Claim claim, Instant now) {
        // Claims that wait are in the map; the list of a batch that left may be in the map no more.
        if (key != lastKey || lastFilled.isEmpty()) {
            lastFilled = filling.computeIfAbsent(key, k -> new ArrayDeque<>());
            lastKey = key;
        }
        lastFilled.add(new Waiting(claim, now));
    }

    /**
     * Returns the next batch of {@code lane} that may leave; called once for each idle handler.
     *
     * @param most the number of events there is room for; a full batch has no more events than the profile allows
     * @param moreToCome false when waiting cannot fill a batch, or gains nothing
     */
    Optional<Batch> next(Lane lane, Instant now, int most, boolean moreToCome) {
        int size = Math.min(most, profile.batcher(lane).size());
        Iterator<Map.Entry<Batch.Key, Deque<Waiting>>> entries =
                filling.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Batch.Key, Deque<Waiting>> entry = entries.next();
            Batch.Key key = entry.getKey();
            Deque<Waiting> waiting = entry.getValue();
            if (key.lane() == lane && (waiting.size() >= size || isOld(lane, waiting.getFirst(), now) || !moreToCome)) {
                entries.remove();
                List<Claim> leaving = new ArrayList<>(Math.min(waiting.size(), size));
                while (leaving.size() < size && !waiting.isEmpty()) {
                    leaving.add(waiting.removeFirst().claim());
                }
                if (!waiting.isEmpty()) {
                    // The rest goes behind the other keys, so that each key has its turn.
                    filling.put(key, waiting);
                }
                return Optional.of(new Batch(key, leaving));
            }
        }
        return Optional.empty();
    }

    /** Returns when the oldest batch of these lanes has waited its time; empty when no claim waits. */
    Optional<Instant> nextTimeout(Predicate<Lane> lanes) {
        return filling.entrySet().stream()
                .filter(entry -> lanes.test(entry.getKey().lane()))
                .map(entry -> timeoutOf(entry.getKey().lane(), entry.getValue().getFirst()))
                .min(Instant::compareTo);
    }

    /** Removes and returns the claims that have not left. */
    List<Claim> clear() {
        List<Claim> claims = filling.values().stream()
                .flatMap(Deque::stream)
                .map(Waiting::claim)
                .toList();
        filling.clear();
        lastKey = null;
        return claims;
    }

    /**
     * Returns true also when the clock was set back behind the arrival: how long the claim has waited is not known
     * then.
     */
    private boolean isOld(Lane lane, Waiting first, Instant now) {
        return !now.isBefore(timeoutOf(lane, first)) || now.isBefore(first.since());
    }

    private Instant timeoutOf(Lane lane, Waiting first) {
        return first.since().plus(profile.batcher(lane).timeout());
    }
}
