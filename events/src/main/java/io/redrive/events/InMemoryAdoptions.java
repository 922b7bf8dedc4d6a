package io.redrive.events;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Bookmarks and settled places in memory. Guarded by the store's lock. */
final class InMemoryAdoptions implements Adoptions {

    private final Object lock;
    private final InMemoryQueue queue;
    private final Consumer<Collection<Event>> limits;
    private final LongSupplier nextPosition;
    private final InMemoryDeadLetters letters;
    private final Map<String, BookmarkState> bookmarks = new HashMap<>();
    /** The time of settling by place, for each bookmark. */
    private final Map<String, NavigableMap<Long, Instant>> settled = new HashMap<>();

    /**
     * Creates the adoptions of a store.
     *
     * @param limits refuses events that exceed a limit of the store
     * @param nextPosition returns the position of the next event
     */
    InMemoryAdoptions(
            Object lock,
            InMemoryQueue queue,
            InMemoryDeadLetters letters,
            Consumer<Collection<Event>> limits,
            LongSupplier nextPosition) {
        this.lock = lock;
        this.queue = queue;
        this.letters = letters;
        this.limits = limits;
        this.nextPosition = nextPosition;
    }

    private void store(Adoption adoption, Instant now) {
        if (adoption.isDone()) {
            return;
        }
        StoredEvent stored = StoredEvent.adopted(nextPosition.getAsLong(), adoption, now);
        adoption.death(stored.position, 0)
                .ifPresentOrElse(
                        dead -> {
                            stored.failed(dead.attempt());
                            letters.add(stored, dead, now);
                        },
                        () -> queue.add(stored));
    }

    void clear() {
        bookmarks.clear();
        settled.clear();
    }

    @Override
    public Takeover takeOver(TakeoverRequest request, Instant now) {
        synchronized (lock) {
            BookmarkState state = bookmarks
                    .getOrDefault(request.bookmark(), BookmarkState.UNUSED)
                    .takenOver(request);
            bookmarks.put(request.bookmark(), state);
            NavigableMap<Long, Instant> places = places(request.bookmark());
            if (request.forgetsSettled()) {
                places.tailMap(request.from(), true).clear();
            }
            Set<String> keys = queue.keys().stream()
                    .filter(key -> !request.keyPrefix().isEmpty() && key.startsWith(request.keyPrefix()))
                    .collect(Collectors.toSet());
            return new Takeover(
                    new Bookmark(request.bookmark(), state.epoch()),
                    state.crashes(),
                    places.tailMap(request.from(), true).keySet(),
                    keys);
        }
    }

    @Override
    public AdoptionResult adopt(Bookmark bookmark, Collection<Adoption> adoptions, Instant now) {
        List<Adoption> checked = Adoption.requireFew(adoptions);
        limits.accept(checked.stream()
                .map(adoption -> adoption.settlement().claim().event())
                .toList());
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            @Nullable BookmarkState state = bookmarks.get(bookmark.name());
            if (state == null || state.epoch() != bookmark.epoch()) {
                return new AdoptionResult.Fenced(state == null ? 0 : state.epoch());
            }
            NavigableMap<Long, Instant> places = places(bookmark.name());
            Set<Long> adopted = new LinkedHashSet<>();
            for (Adoption adoption : checked) {
                if (places.putIfAbsent(adoption.place(), at) == null) {
                    adopted.add(adoption.place());
                    store(adoption, at);
                }
            }
            return new AdoptionResult.Adopted(adopted);
        }
    }

    @Override
    public Set<String> waiting(Collection<String> orderingKeys) {
        synchronized (lock) {
            return orderingKeys.stream().filter(queue.keys()::contains).collect(Collectors.toSet());
        }
    }

    @Override
    public boolean release(Bookmark bookmark) {
        synchronized (lock) {
            @Nullable BookmarkState state = bookmarks.get(bookmark.name());
            if (state == null || state.epoch() != bookmark.epoch()) {
                return false;
            }
            bookmarks.put(bookmark.name(), state.withRelease());
            return true;
        }
    }

    @Override
    public int prune(Bookmark bookmark, long below, Duration age, Instant now) {
        synchronized (lock) {
            @Nullable BookmarkState state = bookmarks.get(bookmark.name());
            if (state == null || state.epoch() != bookmark.epoch()) {
                return 0;
            }
            NavigableMap<Long, Instant> finished = places(bookmark.name()).headMap(below, false);
            int before = finished.size();
            Instant latest = StoredEvent.micros(now).minus(age);
            finished.values().removeIf(at -> !at.isAfter(latest));
            return before - finished.size();
        }
    }

    @Override
    public boolean isShared() {
        return false;
    }

    private NavigableMap<Long, Instant> places(String bookmark) {
        return settled.computeIfAbsent(bookmark, unused -> new TreeMap<>());
    }
}
