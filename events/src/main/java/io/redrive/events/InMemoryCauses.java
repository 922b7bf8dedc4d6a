package io.redrive.events;

import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.Sighting;
import io.redrive.events.cause.Stance;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The causes of the in-memory store. Shares the store's lock, so that a letter and its sighting are one step. */
final class InMemoryCauses implements Causes {

    private static final Comparator<Sighting> IN_ORDER = Comparator.comparing(Sighting::day)
            .thenComparing(Sighting::name)
            .thenComparing(sighting -> sighting.version().map(Object::toString).orElse(""));

    private final Object lock;
    private final InMemoryActions actions;
    private final Refiling refiling;
    private final Predicate<String> hasLetter;
    private final Map<String, Cause> causes = new LinkedHashMap<>();

    /** Gives letters of one cause to another cause, and returns the number of letters. */
    interface Refiling {
        int refile(String from, String into, int limit);
    }

    InMemoryCauses(Object lock, InMemoryActions actions, Refiling refiling, Predicate<String> hasLetter) {
        this.lock = lock;
        this.actions = actions;
        this.refiling = refiling;
        this.hasLetter = hasLetter;
    }

    /** Counts a new letter and returns the fingerprint of the cause that takes the letter. Called with the lock held. */
    String saw(Settlement.Dead dead, Instant now) {
        Cause cause = causeOf(dead.fingerprint(), dead.attempt(), now);
        Sighting sighting = new Sighting(
                LocalDate.ofInstant(now, ZoneOffset.UTC), dead.claim().event().name(), dead.version(), 1, now, now);
        put(with(cause, cause.care(), cause.mergedInto(), added(cause.sightings(), List.of(sighting))));
        return cause.fingerprint();
    }

    private Cause causeOf(String fingerprint, AttemptRecord attempt, Instant now) {
        Cause known = causes.get(fingerprint);
        if (known == null) {
            return unseen(fingerprint, attempt.errorType(), attempt.message(), now);
        }
        return known.mergedInto().map(causes::get).orElse(known);
    }

    /** Makes the cause of an imported letter known, and returns the fingerprint of the cause that takes the letter. */
    String imported(DeadLetter letter) {
        Cause cause = causes.computeIfAbsent(
                letter.fingerprint(), key -> unseen(key, letter.errorType(), letter.lastError(), letter.deadAt()));
        return cause.mergedInto().orElse(cause.fingerprint());
    }

    private static Cause unseen(String fingerprint, String errorType, String example, Instant first) {
        return new Cause(fingerprint, errorType, example, first, List.of(), Care.NONE, Optional.empty());
    }

    @Override
    public List<Cause> latest(CausePlace after, int limit) {
        CauseRules.requirePage(limit);
        synchronized (lock) {
            return causes.values().stream()
                    .filter(cause -> cause.mergedInto().isEmpty())
                    .filter(cause -> CausePlace.of(cause).compareTo(after) > 0)
                    .sorted(Comparator.comparing(CausePlace::of))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public List<Cause> assigned() {
        synchronized (lock) {
            return latest(MAX_PAGE).stream()
                    .filter(cause -> !cause.care().owner().isEmpty())
                    .toList();
        }
    }

    @Override
    public List<Cause> decided() {
        synchronized (lock) {
            return latest(MAX_PAGE).stream()
                    .filter(cause -> !(cause.care().stance() instanceof Stance.Open))
                    .toList();
        }
    }

    @Override
    public Optional<Cause> find(String fingerprint) {
        synchronized (lock) {
            return Optional.ofNullable(causes.get(fingerprint));
        }
    }

    @Override
    public Optional<Cause> change(String fingerprint, CauseChange change, OperatorCommand command, Instant now) {
        Instant at = now.truncatedTo(ChronoUnit.MICROS);
        synchronized (lock) {
            Cause cause = causes.get(fingerprint);
            if (cause == null) {
                return Optional.empty();
            }
            CauseRules.requireOwn(cause);
            Cause changed = with(cause, change.applyTo(cause, at), Optional.empty(), cause.sightings());
            put(changed);
            String outcome = CauseRules.outcome(cause, change, at);
            actions.change(
                    command.describing("cause " + fingerprint),
                    change.action(),
                    at,
                    row -> row.withOutcome(outcome, at));
            return Optional.of(changed);
        }
    }

    @Override
    public int merge(String from, String into, int limit, OperatorCommand command, Instant now) {
        CauseRules.requirePage(limit);
        Instant at = now.truncatedTo(ChronoUnit.MICROS);
        synchronized (lock) {
            Cause source = CauseRules.requireKnown(from, find(from));
            Cause target = CauseRules.requireKnown(into, find(into));
            CauseRules.requireMergeable(source, target);
            List<Cause> chained = causes.values().stream()
                    .filter(cause -> cause.mergedInto().filter(from::equals).isPresent())
                    .toList();
            chained.forEach(cause -> put(with(cause, cause.care(), Optional.of(into), List.of())));
            put(new Cause(
                    into,
                    target.errorType(),
                    target.example(),
                    source.firstSeen().isBefore(target.firstSeen()) ? source.firstSeen() : target.firstSeen(),
                    added(target.sightings(), source.sightings()),
                    target.care(),
                    Optional.empty()));
            put(with(source, source.care(), Optional.of(into), List.of()));
            int moved = refiling.refile(from, into, limit);
            actions.change(
                    command.describing("cause " + from + " into " + into),
                    "merge",
                    at,
                    row -> moved == 0 ? row : row.plus(Map.of(from, (long) moved), at));
            return moved;
        }
    }

    @Override
    public int expire(Instant now) {
        LocalDate oldest = LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(Cause.DAYS);
        synchronized (lock) {
            int[] removed = {0};
            List.copyOf(causes.values()).forEach(cause -> {
                List<Sighting> kept = cause.sightings().stream()
                        .filter(sighting -> !sighting.day().isBefore(oldest))
                        .toList();
                removed[0] += cause.sightings().size() - kept.size();
                put(with(cause, cause.care(), cause.mergedInto(), kept));
                boolean untouched =
                        cause.care().equals(Care.NONE) && cause.mergedInto().isEmpty();
                if (kept.isEmpty() && untouched && !hasLetter.test(cause.fingerprint()) && !isTarget(cause)) {
                    causes.remove(cause.fingerprint());
                    removed[0]++;
                }
            });
            return removed[0];
        }
    }

    private boolean isTarget(Cause cause) {
        return causes.values().stream()
                .anyMatch(other ->
                        other.mergedInto().filter(cause.fingerprint()::equals).isPresent());
    }

    void clear() {
        causes.clear();
    }

    private void put(Cause cause) {
        causes.put(cause.fingerprint(), cause);
    }

    private static Cause with(Cause cause, Care care, Optional<String> mergedInto, List<Sighting> sightings) {
        return new Cause(
                cause.fingerprint(),
                cause.errorType(),
                cause.example(),
                cause.firstSeen(),
                sightings,
                care,
                mergedInto);
    }

    /** Sums sightings of the same day, name and version. */
    private static List<Sighting> added(List<Sighting> known, List<Sighting> more) {
        List<Sighting> sum = new ArrayList<>(known);
        for (Sighting each : more) {
            Optional<Sighting> same =
                    sum.stream().filter(one -> IN_ORDER.compare(one, each) == 0).findFirst();
            same.ifPresent(sum::remove);
            sum.add(same.map(one -> new Sighting(
                            one.day(),
                            one.name(),
                            one.version(),
                            one.letters() + each.letters(),
                            one.first().isBefore(each.first()) ? one.first() : each.first(),
                            one.last().isAfter(each.last()) ? one.last() : each.last()))
                    .orElse(each));
        }
        sum.sort(IN_ORDER);
        return sum;
    }
}
