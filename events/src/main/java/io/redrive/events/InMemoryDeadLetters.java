package io.redrive.events;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The letters of the in-memory store. Shares the store's lock, so that an event leaves the queue and becomes a letter
 * in one step.
 */
final class InMemoryDeadLetters implements DeadLetters {

    /** The origin of a letter whose event was published elsewhere. */
    private static final long IMPORTED = -1;

    private final Object lock;
    private final InMemoryKeys keys;
    private final Revival revival;
    private final int maxPayload;
    private final InMemoryJournal journal;
    private final NavigableMap<Long, Kept> letters = new TreeMap<>();
    /**
     * The number of letters of each event: more than one when an event was published again after its key was
     * forgotten.
     */
    private final Map<InMemoryKeys.Key, Integer> byKey = new HashMap<>();

    private final InMemoryActions actions = new InMemoryActions();
    private final InMemoryVersions versions = new InMemoryVersions();
    private final InMemoryCauses causes;
    final InMemoryLetterOutbox outbox = new InMemoryLetterOutbox();
    /** Told of each letter of a redriven event that leaves: its operation would not find the letter any more. */
    private Consumer<Kept> leaving = kept -> {};

    private long lastId;

    InMemoryDeadLetters(Object lock, InMemoryKeys keys, Revival revival, int maxPayload, InMemoryJournal journal) {
        this.lock = lock;
        this.keys = keys;
        this.revival = revival;
        this.maxPayload = maxPayload;
        this.journal = journal;
        causes = new InMemoryCauses(lock, actions, this::refile, this::hasLetter);
    }

    /** Makes the event of a letter ready again and returns its new position. */
    interface Revival {
        long bringBack(Event event, Instant due, StoredEvent.Lineage lineage, List<AttemptRecord> history);
    }

    /**
     * A letter with facts about its event.
     *
     * @param batch the batch of the last redrive, if any
     * @param origin the position of the first publication
     * @param position the position of the life that ended in this letter
     */
    record Kept(DeadLetter letter, Optional<String> batch, long origin, long position) {}

    void onLeaving(Consumer<Kept> listener) {
        leaving = listener;
    }

    /** Called with the lock held. */
    NavigableMap<Long, Kept> all() {
        return letters;
    }

    /** Called with the lock held. */
    InMemoryActions record() {
        return actions;
    }

    /** Returns the result of publishing an event whose key is known. Called with the lock held. */
    PublishResult duplicate(Event event) {
        if (!byKey.containsKey(InMemoryKeys.Key.of(event))) {
            return PublishResult.DUPLICATE;
        }
        return letters.descendingMap().values().stream()
                .map(Kept::letter)
                .filter(letter -> InMemoryKeys.Key.of(letter.event()).equals(InMemoryKeys.Key.of(event)))
                .findFirst()
                .map(letter -> PublishResult.duplicateOf(letter.id()))
                .orElse(PublishResult.DUPLICATE);
    }

    /** Called with the lock held. */
    void clear() {
        letters.clear();
        byKey.clear();
        actions.clear();
        causes.clear();
        versions.clear();
        outbox.clear();
    }

    /** Adds an event that was settled as dead. Called with the lock held. */
    void add(StoredEvent stored, Settlement.Dead dead, Instant now) {
        String fingerprint = causes.saw(dead, now);
        keep(
                stored.lineage.batch(),
                stored.origin(),
                stored.position,
                id -> new DeadLetter(
                        id,
                        dead.redacted().orElse(stored.event),
                        stored.lineage.originalPayload(),
                        dead.reason(),
                        dead.attempt().errorType(),
                        dead.attempt().message(),
                        fingerprint,
                        dead.service(),
                        stored.attempts(),
                        stored.lineage.redrives(),
                        stored.lineage.automaticRedrives(),
                        now,
                        stored.history));
    }

    @Override
    public List<DeadLetter> list(LetterFilter filter, long afterId, int limit) {
        return listWithHistory(filter, afterId, limit).stream()
                .map(DeadLetter::withoutHistory)
                .toList();
    }

    @Override
    public List<DeadLetter> listWithHistory(LetterFilter filter, long afterId, int limit) {
        requirePage(limit);
        synchronized (lock) {
            return page(letters.tailMap(afterId, false), filter, limit);
        }
    }

    @Override
    public List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit) {
        requirePage(limit);
        synchronized (lock) {
            return page(letters.headMap(beforeId, false).descendingMap(), filter, limit).stream()
                    .map(DeadLetter::withoutHistory)
                    .toList();
        }
    }

    private List<DeadLetter> page(Map<Long, Kept> letters, LetterFilter filter, int limit) {
        return letters.values().stream()
                .filter(kept -> isSelected(kept, filter))
                .map(Kept::letter)
                .limit(limit)
                .toList();
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
            return LetterGroup.largest(selected(filter).map(Kept::letter), limit);
        }
    }

    @Override
    public Optional<DeadLetter> find(long id) {
        synchronized (lock) {
            return Optional.ofNullable(letters.get(id)).map(Kept::letter);
        }
    }

    @Override
    public boolean edit(long id, byte[] payload, OperatorCommand command, Instant now) {
        requirePayload(id, payload);
        synchronized (lock) {
            Kept kept = letters.get(id);
            if (kept == null) {
                return false;
            }
            put(kept, kept.letter().edited(payload), "edit", command, now);
            actions.add(command.describing("payload of letter " + id), "edit", List.of(kept.letter()), now);
            return true;
        }
    }

    @Override
    public Set<Long> replace(List<PayloadChange> changes, String action, OperatorCommand command, Instant now) {
        List<PayloadChange> checked = PayloadChange.page(changes);
        checked.forEach(change -> requirePayload(change.letter(), change.after()));
        synchronized (lock) {
            List<DeadLetter> changed = new ArrayList<>();
            for (PayloadChange change : checked) {
                Kept kept = letters.get(change.letter());
                if (kept != null && Arrays.equals(kept.letter().event().payload(), change.before())) {
                    put(kept, kept.letter().withPayload(change.after()), action, command, now);
                    changed.add(kept.letter());
                }
            }
            actions.add(command, action, changed, now);
            return changed.stream().map(DeadLetter::id).collect(Collectors.toSet());
        }
    }

    @Override
    public List<LetterVersion> versions(long id) {
        synchronized (lock) {
            return versions.of(id);
        }
    }

    private void put(Kept kept, DeadLetter changed, String action, OperatorCommand command, Instant now) {
        versions.keep(kept.letter(), changed.event().payload(), action, command, now);
        letters.put(changed.id(), new Kept(changed, kept.batch(), kept.origin(), kept.position()));
    }

    private void requirePayload(long id, byte[] payload) {
        if (payload.length > maxPayload) {
            throw new IllegalArgumentException(
                    "payload must be at most " + maxPayload + " bytes, got " + payload.length + " for letter " + id);
        }
    }

    @Override
    public int redrive(RedriveRequest request) {
        synchronized (lock) {
            List<Kept> chosen = selected(request.filter().forRedrive())
                    .limit(request.limit())
                    .toList();
            revive(chosen, request);
            return chosen.size();
        }
    }

    /** Redrives these letters and returns the new position of each letter's event. Called with the lock held. */
    Map<Long, Long> revive(List<Kept> chosen, RedriveRequest request) {
        Instant now = StoredEvent.micros(request.now());
        Map<Long, Long> positions = new HashMap<>();
        for (Kept kept : chosen) {
            DeadLetter letter = kept.letter();
            remove(kept);
            StoredEvent.Lineage lineage = new StoredEvent.Lineage(
                    letter.originalPayload(),
                    letter.redrives() + 1,
                    letter.automaticRedrives() + (request.automatic() ? 1 : 0),
                    Optional.of(request.batch()),
                    kept.origin());
            positions.put(
                    letter.id(),
                    revival.bringBack(withoutPastDeadline(letter.event(), now), now, lineage, letter.history()));
        }
        actions.add(request.command().describing(request.filter().describe()), "redrive", lettersOf(chosen), now);
        return positions;
    }

    @Override
    public int purge(LetterFilter filter, int limit, OperatorCommand command, Instant now) {
        if (limit < 1) {
            throw new IllegalArgumentException("purge limit must be at least 1, got " + limit);
        }
        synchronized (lock) {
            List<Kept> chosen = selected(filter).limit(limit).toList();
            chosen.forEach(this::forget);
            actions.add(command.describing(filter.describe()), "purge", lettersOf(chosen), now);
            return chosen.size();
        }
    }

    @Override
    public int retire(List<DeadLetter> exported, OperatorCommand command, Instant now) {
        synchronized (lock) {
            List<Kept> same = exported.stream()
                    .map(letter -> Optional.ofNullable(letters.get(letter.id()))
                            .filter(kept -> kept.letter().hasPayloadOf(letter)))
                    .flatMap(Optional::stream)
                    .toList();
            same.forEach(this::forget);
            actions.add(command, "retire", lettersOf(same), now);
            return same.size();
        }
    }

    private void forget(Kept kept) {
        keys.forget(kept.letter().event(), kept.origin());
        remove(kept);
    }

    @Override
    public int importLetters(List<DeadLetter> imported, OperatorCommand command, Instant now) {
        List<DeadLetter> checked = List.copyOf(imported);
        synchronized (lock) {
            List<DeadLetter> taken = new ArrayList<>();
            for (DeadLetter letter : checked) {
                if (!byKey.containsKey(InMemoryKeys.Key.of(letter.event()))) {
                    String fingerprint = causes.imported(letter);
                    keep(
                            Optional.empty(),
                            IMPORTED,
                            IMPORTED,
                            id -> letter.withId(id).withFingerprint(fingerprint));
                    taken.add(letter);
                }
            }
            actions.add(command, "import", taken, now);
            return taken.size();
        }
    }

    @Override
    public Causes causes() {
        return causes;
    }

    /** Gives at most {@code limit} letters of one cause to another cause, the oldest first. Called with the lock held. */
    private int refile(String from, String into, int limit) {
        List<Kept> moved =
                selected(LetterFilter.ALL.withFingerprint(from)).limit(limit).toList();
        moved.forEach(kept -> letters.put(
                kept.letter().id(),
                new Kept(kept.letter().withFingerprint(into), kept.batch(), kept.origin(), kept.position())));
        return moved.size();
    }

    private boolean hasLetter(String fingerprint) {
        return selected(LetterFilter.ALL.withFingerprint(fingerprint)).findAny().isPresent();
    }

    @Override
    public List<OperatorAction> actions(ActionFilter filter, int limit) {
        requirePage(limit);
        synchronized (lock) {
            return actions.newest(filter, limit);
        }
    }

    @Override
    public void record(OperatorCommand command, String action, String outcome, Instant now) {
        synchronized (lock) {
            actions.change(command, action, now, row -> row.withOutcome(outcome, StoredEvent.micros(now)));
        }
    }

    private Stream<Kept> selected(LetterFilter filter) {
        return letters.values().stream().filter(kept -> isSelected(kept, filter));
    }

    /** Called with the lock held. */
    boolean isSelected(Kept kept, LetterFilter filter) {
        return filter.matches(kept.letter())
                && filter.overtaken()
                        .map(only -> only == journal.hasOvertaken(kept))
                        .orElse(true);
    }

    private static List<DeadLetter> lettersOf(List<Kept> kept) {
        return kept.stream().map(Kept::letter).toList();
    }

    private void keep(Optional<String> batch, long origin, long position, LongFunction<DeadLetter> numbered) {
        DeadLetter letter = numbered.apply(++lastId);
        letters.put(letter.id(), new Kept(letter, batch, origin, position));
        byKey.merge(InMemoryKeys.Key.of(letter.event()), 1, Integer::sum);
        outbox.arrived(letter);
    }

    private void remove(Kept kept) {
        DeadLetter letter = kept.letter();
        leaving.accept(kept);
        letters.remove(letter.id());
        versions.forget(letter.id());
        byKey.computeIfPresent(InMemoryKeys.Key.of(letter.event()), (key, count) -> count == 1 ? null : count - 1);
    }

    private static Event withoutPastDeadline(Event event, Instant now) {
        boolean past =
                event.deadline().filter(deadline -> !deadline.isAfter(now)).isPresent();
        return past ? event.toBuilder().deadline(null).build() : event;
    }

    static void requirePage(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_PAGE + ", got " + limit);
        }
    }
}
