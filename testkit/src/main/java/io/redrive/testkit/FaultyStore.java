package io.redrive.testkit;

import io.redrive.events.ActionFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PublishResult;
import io.redrive.events.RedriveProgress;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A store whose n-th call fails, before or after it took effect: the caller sees the same exception and cannot know. Run
 * a test once for every n until {@link #hasFailed()} stays false, and every store call in it has failed once. Calls of
 * the dead letters and of the notes count too; {@code onPublished}, {@code deadLetters} and {@code close} do not. Thread-safe.
 *
 * <pre>{@code
 * FaultyStore store = FaultyStore.failing(new InMemoryEventStore(), 3, FaultyStore.Moment.AFTER);
 * }</pre>
 */
public final class FaultyStore implements EventStore {

    private final EventStore store;
    private final long failing;
    private final Moment moment;
    private final AtomicLong calls = new AtomicLong();
    private final DeadLetters letters = new FaultyLetters();
    private final SharedNotes notes = new FaultyNotes();

    private FaultyStore(EventStore store, long failing, Moment moment) {
        this.store = Objects.requireNonNull(store, "store");
        this.failing = failing;
        this.moment = Objects.requireNonNull(moment, "moment");
    }

    /** When a call fails. */
    public enum Moment {
        /** Nothing has happened. */
        BEFORE,
        /** It has taken effect; only the answer is lost. */
        AFTER
    }

    /** The failure this store makes up. */
    public static final class Fault extends RuntimeException {
        private Fault(long call, String name, Moment moment) {
            super("injected: store call " + call + " (" + name + ") failed "
                    + (moment == Moment.BEFORE ? "before" : "after") + " it took effect");
        }
    }

    /** Fails the {@code call}-th call, counted from 1; no other. */
    public static FaultyStore failing(EventStore store, long call, Moment moment) {
        if (call < 1) {
            throw new IllegalArgumentException("call must be at least 1, got " + call);
        }
        return new FaultyStore(store, call, moment);
    }

    /** How many calls were made. */
    public long calls() {
        return calls.get();
    }

    /** True once the failing call was made. */
    public boolean hasFailed() {
        return calls.get() >= failing;
    }

    private <T> T call(String name, Supplier<T> action) {
        boolean fails = calls.incrementAndGet() == failing;
        if (fails && moment == Moment.BEFORE) {
            throw new Fault(failing, name, moment);
        }
        T answer = action.get();
        if (fails) {
            throw new Fault(failing, name, moment);
        }
        return answer;
    }

    private void call(String name, Runnable action) {
        call(name, () -> {
            action.run();
            return null;
        });
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return call("publish", () -> store.publish(events, now));
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        return call("exchange", () -> store.exchange(settlements, requests, now));
    }

    @Override
    public int exchangesAtOnce() {
        return store.exchangesAtOnce();
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        call("extend", () -> store.extend(tokens, lease, now));
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return call("recover", () -> store.recover(now, holders));
    }

    @Override
    public int expire(Instant now) {
        return call("expire", () -> store.expire(now));
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        return call("scheduled", () -> store.scheduled(filter, limit, now));
    }

    @Override
    public boolean cancel(String id, String correlationId, Instant now) {
        return call("cancel", () -> store.cancel(id, correlationId, now));
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        return call("setAside", () -> store.setAside(limit, now));
    }

    @Override
    public StoreStats stats(Instant now) {
        return call("stats", () -> store.stats(now));
    }

    @Override
    public DeadLetters deadLetters() {
        return letters;
    }

    @Override
    public SharedNotes notes() {
        return notes;
    }

    @Override
    public void onPublished(Runnable wake) {
        store.onPublished(wake);
    }

    @Override
    public void close() {
        store.close();
    }

    private final class FaultyNotes implements SharedNotes {

        @Override
        public List<Note> read() {
            return call("read notes", () -> store.notes().read());
        }

        @Override
        public boolean write(Note note) {
            return call("write note", () -> store.notes().write(note));
        }

        @Override
        public boolean erase(Note note) {
            return call("erase note", () -> store.notes().erase(note));
        }
    }

    private final class FaultyLetters implements DeadLetters {

        private DeadLetters inner() {
            return store.deadLetters();
        }

        @Override
        public List<DeadLetter> list(LetterFilter filter, long afterId, int limit) {
            return call("list", () -> inner().list(filter, afterId, limit));
        }

        @Override
        public List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit) {
            return call("newest", () -> inner().newest(filter, beforeId, limit));
        }

        @Override
        public List<DeadLetter> listWithHistory(LetterFilter filter, long afterId, int limit) {
            return call("list with history", () -> inner().listWithHistory(filter, afterId, limit));
        }

        @Override
        public long count(LetterFilter filter) {
            return call("count", () -> inner().count(filter));
        }

        @Override
        public List<LetterGroup> groups(LetterFilter filter, int limit) {
            return call("groups", () -> inner().groups(filter, limit));
        }

        @Override
        public Optional<DeadLetter> find(long id) {
            return call("find", () -> inner().find(id));
        }

        @Override
        public boolean edit(long id, byte[] payload, OperatorCommand command, Instant now) {
            return call("edit", () -> inner().edit(id, payload, command, now));
        }

        @Override
        public int redrive(RedriveRequest request) {
            return call("redrive", () -> inner().redrive(request));
        }

        @Override
        public RedriveProgress progress(String batch) {
            return call("progress", () -> inner().progress(batch));
        }

        @Override
        public int purge(LetterFilter filter, int limit, OperatorCommand command, Instant now) {
            return call("purge", () -> inner().purge(filter, limit, command, now));
        }

        @Override
        public int importLetters(List<DeadLetter> imported, OperatorCommand command, Instant now) {
            return call("import", () -> inner().importLetters(imported, command, now));
        }

        @Override
        public List<OperatorAction> actions(ActionFilter filter, int limit) {
            return call("actions", () -> inner().actions(filter, limit));
        }

        @Override
        public void record(OperatorCommand command, String action, String outcome, Instant now) {
            call("record", () -> inner().record(command, action, outcome, now));
        }
    }
}
