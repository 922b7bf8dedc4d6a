package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Puts claims together by key, size and age. Pure bookkeeping: no clock, no threads.
 *
 * <p>A batch leaves when it is full or has waited its time. It also leaves when a handler is idle and nothing more is on
 * its way: waiting would add latency and gain nothing. So a lone event in an idle pipeline is handled at once, and batches
 * fill by themselves when handlers are busy.
 */
final class Batcher {

    private final Profile profile;
    private final Map<Batch.Key, Filling> filling = new LinkedHashMap<>();

    private static final class Filling {
        private final Instant since;
        private final List<Claim> claims = new ArrayList<>();

        private Filling(Instant since) {
            this.since = since;
        }
    }

    Batcher(Profile profile) {
        this.profile = profile;
    }

    void add(Batch.Key key, Claim claim, Instant now) {
        filling.computeIfAbsent(key, k -> new Filling(now)).claims.add(claim);
    }

    /** The next batch of {@code lane} that may leave; call it once for each idle handler. */
    Optional<Batch> next(Lane lane, Instant now, Predicate<Lane> dry) {
        BatcherSettings settings = profile.batcher(lane);
        Iterator<Map.Entry<Batch.Key, Filling>> entries = filling.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Batch.Key, Filling> entry = entries.next();
            List<Claim> claims = entry.getValue().claims;
            if (entry.getKey().lane() != lane) {
                continue;
            }
            boolean full = claims.size() >= settings.size();
            boolean old = !now.isBefore(entry.getValue().since.plus(settings.timeout()));
            if (full || old || dry.test(lane)) {
                List<Claim> leaving = new ArrayList<>(claims.subList(0, Math.min(claims.size(), settings.size())));
                claims.subList(0, leaving.size()).clear();
                if (claims.isEmpty()) {
                    entries.remove();
                }
                return Optional.of(new Batch(entry.getKey(), leaving));
            }
        }
        return Optional.empty();
    }

    /** When the oldest batch has waited its time, if any waits. */
    Optional<Instant> nextTimeout() {
        return filling.entrySet().stream()
                .map(entry -> entry.getValue()
                        .since
                        .plus(profile.batcher(entry.getKey().lane()).timeout()))
                .min(Instant::compareTo);
    }

    /** Everything that has not left yet, which is forgotten here. */
    List<Claim> clear() {
        List<Claim> claims =
                filling.values().stream().flatMap(f -> f.claims.stream()).toList();
        filling.clear();
        return claims;
    }
}
