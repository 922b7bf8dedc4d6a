package io.redrive.events;

import io.redrive.events.RedrivenLetter.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Redrive operations of the in-memory store. Shares the store's lock, so that a turn is one step for everybody. */
final class InMemoryRedrives implements Redrives {

    private final Object lock;
    private final InMemoryDeadLetters letters;
    private final InMemoryQueue queue;
    /** By number, oldest first. */
    private final NavigableMap<Long, Stored> operations = new TreeMap<>();

    private long lastNumber;
    private long starts;

    InMemoryRedrives(Object lock, InMemoryDeadLetters letters, InMemoryQueue queue) {
        this.lock = lock;
        this.letters = letters;
        this.queue = queue;
        letters.onLeaving(this::leaves);
    }

    /** A letter of a selection. */
    private static final class Row {
        private final String eventId;
        private Result result = Result.PENDING;
        private long position;
        private String cause = "";

        Row(String eventId) {
            this.eventId = eventId;
        }
    }

    /** An operation with its selection, by letter id. */
    private static final class Stored {
        private final NavigableMap<Long, Row> rows = new TreeMap<>();
        /** Only letters up to this one are selected. */
        private final long lastLetter;
        /** Operations that were started before the preview began. */
        private final long startsBefore;

        private RedriveOperation operation;
        private Optional<Instant> nextTurn = Optional.empty();
        private long selectedUpTo;
        private long start;

        Stored(RedriveOperation operation, long lastLetter, long startsBefore) {
            this.operation = operation;
            this.lastLetter = lastLetter;
            this.startsBefore = startsBefore;
        }

        void become(RedriveOperation next, Instant now) {
            operation = next;
            nextTurn = RedriveTurn.next(next, now);
        }
    }

    /** Called with the lock held. */
    void clear() {
        operations.clear();
    }

    @Override
    public RedriveOperation select(RedriveOrder order, Instant now) {
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            Stored stored = stored(order.id()).orElseGet(() -> begin(order, at));
            if (!(stored.operation.state() instanceof RedriveState.Selecting)) {
                return stored.operation;
            }
            long room = order.plan().limit() - stored.operation.counts().selected();
            int most = (int) Math.min(room, SELECTED_AT_ONCE);
            List<DeadLetter> chosen =
                    letters.all().subMap(stored.selectedUpTo, false, stored.lastLetter, true).values().stream()
                            .filter(kept ->
                                    letters.isSelected(kept, order.filter().forRedrive()))
                            .map(InMemoryDeadLetters.Kept::letter)
                            .limit(most)
                            .toList();
            requireFree(stored, chosen);
            Map<String, Long> causes = new HashMap<>();
            for (DeadLetter letter : chosen) {
                stored.rows.put(letter.id(), new Row(letter.event().id()));
                stored.selectedUpTo = letter.id();
                causes.merge(letter.fingerprint(), 1L, Long::sum);
            }
            boolean complete = chosen.size() < SELECTED_AT_ONCE;
            stored.become(stored.operation.selected(causes, complete, at), at);
            return stored.operation;
        }
    }

    private Stored begin(RedriveOrder order, Instant now) {
        long lastLetter = letters.all().isEmpty() ? 0 : letters.all().lastKey();
        Stored stored = new Stored(RedriveOperation.begun(order, now), lastLetter, starts);
        operations.put(++lastNumber, stored);
        if (operations.size() > MAX_KEPT) {
            operations.entrySet().stream()
                    .filter(entry -> entry.getValue().operation.state().isEnded())
                    .findFirst()
                    .ifPresent(oldest -> operations.remove(oldest.getKey()));
        }
        return stored;
    }

    private void requireFree(Stored stored, List<DeadLetter> chosen) {
        for (Stored other : operations.values()) {
            if (other.operation.isSending()) {
                for (DeadLetter letter : chosen) {
                    Row row = other.rows.get(letter.id());
                    if (row != null && row.result == Result.PENDING) {
                        remove(stored);
                        throw RedriveRefusedException.pending(letter.id(), other.operation);
                    }
                }
            }
        }
    }

    @Override
    public RedriveOperation change(String id, RedriveChange change, OperatorCommand command, Instant now) {
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            Stored stored = stored(id).orElseThrow(() -> RedriveRefusedException.missing(id));
            RedriveOperation before = stored.operation;
            RedriveOperation after = change.apply(before, command, at);
            if (change == RedriveChange.DISMISS) {
                remove(stored);
            } else if (after.equals(before)) {
                return before;
            }
            if (change == RedriveChange.START) {
                requireStartable(stored);
                stored.start = ++starts;
            }
            record(change, before, after, command, at);
            stored.become(after, at);
            return after;
        }
    }

    /** A preview that was never started leaves no row. */
    private void record(
            RedriveChange change, RedriveOperation before, RedriveOperation after, OperatorCommand by, Instant now) {
        if (before.times().started().isPresent()) {
            letters.record().change(change.recorded(before, by), change.action(), now, row -> row);
        }
        if (after.times().started().isPresent()) {
            letters.record().change(after.command(), "redrive", now, row -> row.withOutcome(after.outcome(), now));
        }
    }

    private void requireStartable(Stored stored) {
        List<Stored> active = operations.values().stream()
                .filter(other -> other.operation.isSending())
                .toList();
        if (active.size() >= MAX_ACTIVE) {
            throw RedriveRefusedException.tooMany(stored.operation.id());
        }
        active.stream()
                .filter(other -> other.start > stored.startsBefore)
                .filter(other -> other.operation.causes().overlap(stored.operation.causes()))
                .findFirst()
                .ifPresent(other -> {
                    throw RedriveRefusedException.startedMeanwhile(other.operation);
                });
    }

    @Override
    public Optional<RedriveOperation> find(String id) {
        synchronized (lock) {
            return stored(id).map(stored -> stored.operation);
        }
    }

    @Override
    public List<RedriveOperation> list(int limit) {
        InMemoryDeadLetters.requirePage(limit);
        synchronized (lock) {
            return operations.descendingMap().values().stream()
                    .limit(limit)
                    .map(stored -> stored.operation)
                    .toList();
        }
    }

    @Override
    public List<RedrivenLetter> letters(String id, long afterLetter, int limit) {
        InMemoryDeadLetters.requirePage(limit);
        synchronized (lock) {
            return stored(id).stream()
                    .flatMap(stored -> stored.rows.tailMap(afterLetter, false).entrySet().stream())
                    .limit(limit)
                    .map(entry -> new RedrivenLetter(
                            entry.getKey(), entry.getValue().eventId, entry.getValue().result, entry.getValue().cause))
                    .toList();
        }
    }

    @Override
    public RedriveTurn turn(String node, Instant now) {
        Instant at = StoredEvent.micros(now);
        synchronized (lock) {
            List<Stored> waiting = operations.values().stream()
                    .filter(stored -> stored.nextTurn.isPresent())
                    .sorted((one, other) -> one.nextTurn.get().compareTo(other.nextTurn.get()))
                    .toList();
            for (Stored stored : waiting) {
                if (isDue(stored.nextTurn.get(), at)) {
                    return take(stored, node, at);
                }
            }
            return new RedriveTurn.Idle(
                    waiting.isEmpty()
                            ? RedriveTurn.LONGEST_WAIT
                            : Duration.between(at, waiting.get(0).nextTurn.get()));
        }
    }

    /** Also true when the clock was set back: the turn is further away than any wait. */
    private static boolean isDue(Instant turn, Instant now) {
        return !now.isBefore(turn) || turn.isAfter(now.plus(RedriveTurn.LONGEST_WAIT));
    }

    private RedriveTurn take(Stored stored, String node, Instant now) {
        RedriveOperation before = stored.operation;
        RedriveTurn.Taken taken = RedriveTurn.take(before, new Letters(stored, now), node, now);
        RedriveOperation after = taken.operation();
        if (after.hasNewsSince(before)) {
            letters.record().change(after.command(), "redrive", now, row -> row.withOutcome(after.outcome(), now));
        }
        stored.become(after, now);
        return taken;
    }

    /** The letters of an operation during a turn. */
    private final class Letters implements RedriveTurn.Letters<RuntimeException> {

        private final Stored stored;
        private final Instant now;

        Letters(Stored stored, Instant now) {
            this.stored = stored;
            this.now = now;
        }

        @Override
        public RedriveTurn.Sent send(int limit) {
            List<Map.Entry<Long, Row>> pending = pending(limit);
            List<InMemoryDeadLetters.Kept> present = pending.stream()
                    .flatMap(entry -> Stream.ofNullable(letters.all().get(entry.getKey())))
                    .toList();
            LetterFilter filter = LetterFilter.ofIds(
                    present.stream().map(kept -> kept.letter().id()).toList());
            Map<Long, Long> positions =
                    letters.revive(present, new RedriveRequest(filter, limit, stored.operation.command(), false, now));
            long upTo = stored.operation.pace().sentUpTo();
            for (Map.Entry<Long, Row> entry : pending) {
                upTo = entry.getKey();
                Row row = entry.getValue();
                row.result = positions.containsKey(upTo) ? Result.REDRIVEN : Result.GONE;
                row.position = positions.getOrDefault(upTo, 0L);
            }
            return new RedriveTurn.Sent(present.size(), pending.size() - present.size(), upTo);
        }

        private List<Map.Entry<Long, Row>> pending(int limit) {
            return stored.rows.tailMap(stored.operation.pace().sentUpTo(), false).entrySet().stream()
                    .filter(entry -> entry.getValue().result == Result.PENDING)
                    .limit(limit)
                    .toList();
        }

        @Override
        public RedriveTurn.Looked look(long after, int limit) {
            Set<Long> open = new HashSet<>();
            Stream.concat(queue.waiting().stream(), queue.claimed().stream())
                    .forEach(event -> open.add(event.position));
            Map<Long, String> dead = new HashMap<>();
            letters.all()
                    .values()
                    .forEach(kept -> dead.put(kept.position(), kept.letter().fingerprint()));
            List<Row> page = stored.rows.values().stream()
                    .filter(row -> row.result == Result.REDRIVEN && row.position > after)
                    .limit(limit)
                    .toList();
            int done = 0;
            Map<String, Long> again = new HashMap<>();
            for (Row row : page) {
                String cause = row.cause.isEmpty() ? dead.getOrDefault(row.position, "") : row.cause;
                if (!cause.isEmpty()) {
                    row.result = Result.DEAD_AGAIN;
                    row.cause = cause;
                    again.merge(cause, 1L, Long::sum);
                } else if (!open.contains(row.position)) {
                    row.result = Result.DONE;
                    done++;
                }
            }
            long upTo = page.isEmpty() ? after : page.get(page.size() - 1).position;
            return new RedriveTurn.Looked(page.size(), done, again, page.size() == limit, upTo);
        }
    }

    /** A redriven event died again, and its letter leaves before a look: keeps the cause. Called with the lock held. */
    private void leaves(InMemoryDeadLetters.Kept kept) {
        kept.batch()
                .flatMap(this::stored)
                .ifPresent(stored -> stored.rows.values().stream()
                        .filter(row -> row.result == Result.REDRIVEN && row.position == kept.position())
                        .forEach(row -> row.cause = kept.letter().fingerprint()));
    }

    @Override
    public int sweep(Instant now) {
        synchronized (lock) {
            Instant before = now.minus(PREVIEW_KEPT);
            List<Stored> abandoned = operations.values().stream()
                    .filter(stored -> !stored.operation.state().isActive()
                            && !stored.operation.state().isEnded())
                    .filter(stored -> stored.operation.times().created().isBefore(before))
                    .toList();
            abandoned.forEach(this::remove);
            return abandoned.size();
        }
    }

    private Optional<Stored> stored(String id) {
        return operations.values().stream()
                .filter(stored -> stored.operation.id().equals(id))
                .findFirst();
    }

    private void remove(Stored stored) {
        operations.values().remove(stored);
    }
}
