package io.redrive.events;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The letters of the in-memory store. Shares the store's lock, so that leaving one and entering the other is one step. */
final class InMemoryDeadLetters implements DeadLetters {

    private static final int MAX_NAMES = 10;

    private final Object lock;
    private final InMemoryQueue queue;
    private final Revival revival;
    private final int maxPayload;
    private final NavigableMap<Long, Kept> letters = new TreeMap<>();
    /** How many letters an event has here: more than one once its key was forgotten and it was published again. */
    private final Map<InMemoryKeys.Key, Integer> byKey = new HashMap<>();

    private final List<OperatorAction> actions = new ArrayList<>();
    private long lastId;

    InMemoryDeadLetters(Object lock, InMemoryQueue queue, Revival revival, int maxPayload) {
        this.lock = lock;
        this.queue = queue;
        this.revival = revival;
        this.maxPayload = maxPayload;
    }

    /** How a letter becomes an event again. */
    interface Revival {
        void bringBack(Event event, Instant due, StoredEvent.Lineage lineage, List<AttemptRecord> history);
    }

    /** A letter and the batch its event was last redriven with, null when never. */
    private record Kept(DeadLetter letter, String batch) {}

    /** Called with the lock held. */
    void clear() {
        letters.clear();
        byKey.clear();
        actions.clear();
    }

    /** Takes in what was settled as dead. Called with the lock held. */
    void add(StoredEvent stored, Settlement.Dead dead, Instant now) {
        keep(
                stored.lineage.batch(),
                id -> new DeadLetter(
                        id,
                        stored.event,
                        stored.lineage.originalPayload(),
                        dead.reason(),
                        dead.attempt().errorType(),
                        dead.attempt().message(),
                        dead.fingerprint(),
                        dead.service(),
                        stored.attempts(),
                        stored.lineage.redrives(),
                        stored.lineage.automaticRedrives(),
                        now,
                        stored.history));
    }

    @Override
    public List<DeadLetter> list(LetterFilter filter, long afterId, int limit) {
        requirePage(limit);
        synchronized (lock) {
            return letters.tailMap(afterId, false).values().stream()
                    .map(Kept::letter)
                    .filter(filter::matches)
                    .limit(limit)
                    .map(DeadLetter::withoutHistory)
                    .toList();
        }
    }

    @Override
    public long count(LetterFilter filter) {
        synchronized (lock) {
            return filter.equals(LetterFilter.ALL)
                    ? letters.size()
                    : selected(filter).count();
        }
    }

    @Override
    public List<LetterGroup> groups(LetterFilter filter, int limit) {
        requirePage(limit);
        synchronized (lock) {
            return selected(filter).collect(Collectors.groupingBy(DeadLetter::fingerprint)).values().stream()
                    .map(InMemoryDeadLetters::group)
                    .sorted(Comparator.comparingLong(LetterGroup::count)
                            .reversed()
                            .thenComparing(LetterGroup::fingerprint))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public Optional<DeadLetter> find(long id) {
        synchronized (lock) {
            return Optional.ofNullable(letters.get(id)).map(Kept::letter);
        }
    }

    @Override
    public boolean edit(long id, byte[] payload, String operator, Instant now) {
        Texts.require("operator", operator);
        if (payload.length > maxPayload) {
            throw new IllegalArgumentException(
                    "payload must be at most " + maxPayload + " bytes, got " + payload.length + " for letter " + id);
        }
        synchronized (lock) {
            Kept kept = letters.get(id);
            if (kept == null) {
                return false;
            }
            letters.put(id, new Kept(kept.letter().withPayload(payload), kept.batch()));
            record(action(now, operator, "edit", "payload of letter " + id, 1));
            return true;
        }
    }

    @Override
    public int redrive(RedriveRequest request) {
        Instant now = InMemoryEventStore.micros(request.now());
        synchronized (lock) {
            List<DeadLetter> chosen =
                    selected(request.filter()).limit(request.limit()).toList();
            for (DeadLetter letter : chosen) {
                remove(letter);
                StoredEvent.Lineage lineage = new StoredEvent.Lineage(
                        letter.originalPayload(),
                        letter.redrives() + 1,
                        letter.automaticRedrives() + (request.automatic() ? 1 : 0),
                        request.batch());
                revival.bringBack(withoutPastDeadline(letter.event(), now), now, lineage, letter.history());
            }
            recordIfAny(action(now, request.operator(), "redrive", "batch " + request.batch(), chosen.size()));
            return chosen.size();
        }
    }

    @Override
    public RedriveProgress progress(String batch) {
        synchronized (lock) {
            long pending = Stream.concat(queue.waiting().stream(), queue.claimed().stream())
                    .filter(stored -> batch.equals(stored.lineage.batch()))
                    .count();
            List<DeadLetter> again = letters.values().stream()
                    .filter(kept -> batch.equals(kept.batch()))
                    .map(Kept::letter)
                    .toList();
            Set<String> causes = again.stream().map(DeadLetter::fingerprint).collect(Collectors.toSet());
            return new RedriveProgress(pending, again.size(), causes);
        }
    }

    @Override
    public int purge(LetterFilter filter, int limit, String operator, Instant now) {
        Texts.require("operator", operator);
        if (limit < 1) {
            throw new IllegalArgumentException("purge limit must be at least 1, got " + limit);
        }
        synchronized (lock) {
            List<DeadLetter> chosen = selected(filter).limit(limit).toList();
            chosen.forEach(this::remove);
            recordIfAny(action(now, operator, "purge", "deleted for good", chosen.size()));
            return chosen.size();
        }
    }

    @Override
    public int importLetters(List<DeadLetter> imported, String operator, Instant now) {
        Texts.require("operator", operator);
        List<DeadLetter> checked = List.copyOf(imported);
        synchronized (lock) {
            int taken = 0;
            for (DeadLetter letter : checked) {
                if (!byKey.containsKey(InMemoryKeys.Key.of(letter.event()))) {
                    keep(null, letter::withId);
                    taken++;
                }
            }
            recordIfAny(action(now, operator, "import", checked.size() + " offered", taken));
            return taken;
        }
    }

    @Override
    public List<OperatorAction> actions(int limit) {
        requirePage(limit);
        synchronized (lock) {
            List<OperatorAction> newestFirst = new ArrayList<>();
            for (int i = actions.size() - 1; i >= 0 && newestFirst.size() < limit; i--) {
                newestFirst.add(actions.get(i));
            }
            return newestFirst;
        }
    }

    @Override
    public void record(OperatorAction action) {
        synchronized (lock) {
            actions.add(action);
        }
    }

    private Stream<DeadLetter> selected(LetterFilter filter) {
        return letters.values().stream().map(Kept::letter).filter(filter::matches);
    }

    private void keep(String batch, LongFunction<DeadLetter> numbered) {
        DeadLetter letter = numbered.apply(++lastId);
        letters.put(letter.id(), new Kept(letter, batch));
        byKey.merge(InMemoryKeys.Key.of(letter.event()), 1, Integer::sum);
    }

    private void remove(DeadLetter letter) {
        letters.remove(letter.id());
        byKey.computeIfPresent(InMemoryKeys.Key.of(letter.event()), (key, count) -> count == 1 ? null : count - 1);
    }

    /** An automatic redrive that found nothing every hour would drown what operators did. */
    private void recordIfAny(OperatorAction action) {
        if (action.letters() > 0) {
            record(action);
        }
    }

    private static OperatorAction action(Instant now, String operator, String action, String detail, int letters) {
        return new OperatorAction(InMemoryEventStore.micros(now), operator, action, detail, letters);
    }

    private static Event withoutPastDeadline(Event event, Instant now) {
        boolean past =
                event.deadline().filter(deadline -> !deadline.isAfter(now)).isPresent();
        return past ? event.toBuilder().deadline(null).build() : event;
    }

    private static LetterGroup group(List<DeadLetter> alike) {
        DeadLetter first = alike.get(0);
        List<String> names =
                alike.stream()
                        .map(letter -> letter.event().name())
                        .collect(Collectors.toCollection(TreeSet::new))
                        .stream()
                        .limit(MAX_NAMES)
                        .toList();
        List<Instant> times = alike.stream().map(DeadLetter::deadAt).sorted().toList();
        return new LetterGroup(
                first.fingerprint(),
                first.errorType(),
                first.lastError(),
                alike.size(),
                names,
                times.get(0),
                times.get(times.size() - 1));
    }

    private static void requirePage(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_PAGE + ", got " + limit);
        }
    }
}
