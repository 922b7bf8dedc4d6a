package io.redrive.testkit;

import io.redrive.events.ActionFilter;
import io.redrive.events.Adoptions;
import io.redrive.events.Causes;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.HandledSamples;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.LetterOutbox;
import io.redrive.events.LetterVersion;
import io.redrive.events.NamePattern;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadChange;
import io.redrive.events.Proposals;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveOrder;
import io.redrive.events.RedriveRequest;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter;
import io.redrive.events.Redrives;
import io.redrive.events.Scheduled;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import io.redrive.events.StoreStats;
import io.redrive.events.activity.ActivityLog;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.journal.Journal;
import io.redrive.events.journal.UnfinishedEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An event store that passes each call on to a target store, through a method for subclasses to override: {@link #forward}. Use the
 * store to count, watch or fail calls. Calls that publish, exchange, look or cancel go through {@code forward}, and so do the calls
 * of the dead letters, redrive operations, notes, activity, samples, proposals and adoptions. Calls that only hand out a part or a limit
 * of the target, and {@code onPublished} and {@code close}, reach the target directly. As thread-safe as the target.
 *
 * <pre>{@code
 * EventStore logged = new ForwardingStore(store) {
 *     @Override
 *     protected <T> T forward(String call, Supplier<T> action) {
 *         log.info(call);
 *         return super.forward(call, action);
 *     }
 * };
 * }</pre>
 */
public class ForwardingStore implements EventStore {

    private final EventStore store;
    private final DeadLetters letters = new ForwardedLetters();
    private final Redrives redrives = new ForwardedRedrives();
    private final SharedNotes notes = new ForwardedNotes();

    /** Passes each call on to {@code store}. */
    public ForwardingStore(EventStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /** The target of the calls. */
    protected final EventStore store() {
        return store;
    }

    /**
     * Makes one call of the target; runs {@code action} unless overridden.
     *
     * @param call the name of the method, such as {@code publish}, or words such as {@code read notes}
     * @param action makes the call
     * @return the answer for the caller
     */
    protected <T> T forward(String call, Supplier<T> action) {
        return action.get();
    }

    private void forward(String call, Runnable action) {
        forward(call, () -> {
            action.run();
            return null;
        });
    }

    @Override
    public List<PublishResult> publish(List<Event> events, Instant now) {
        return forward("publish", () -> store.publish(events, now));
    }

    @Override
    public PublishedEvents publish(List<Event> events, ImmediateClaim claim, Instant now) {
        return forward("publish", () -> store.publish(events, claim, now));
    }

    @Override
    public List<PublishResult> publishBeforeSettling(List<Event> events, Instant now) {
        return forward("publish", () -> store.publishBeforeSettling(events, now));
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        return forward("exchange", () -> store.exchange(settlements, requests, now));
    }

    @Override
    public int exchangesAtOnce(int nodes) {
        return store.exchangesAtOnce(nodes);
    }

    @Override
    public void extend(Collection<Long> tokens, Duration lease, Instant now) {
        forward("extend", () -> store.extend(tokens, lease, now));
    }

    @Override
    public int recover(Instant now, LeaseHolders holders) {
        return forward("recover", () -> store.recover(now, holders));
    }

    @Override
    public int expire(Instant now) {
        return forward("expire", () -> store.expire(now));
    }

    @Override
    public List<Scheduled> scheduled(Scheduled.Filter filter, int limit, Instant now) {
        return forward("scheduled", () -> store.scheduled(filter, limit, now));
    }

    @Override
    public boolean cancel(String id, @Nullable String correlationId, Instant now) {
        return forward("cancel", () -> store.cancel(id, correlationId, now));
    }

    @Override
    public List<SetAside> setAside(int limit, Instant now) {
        return forward("setAside", () -> store.setAside(limit, now));
    }

    @Override
    public long countSetAside(Set<NamePattern> names) {
        return forward("countSetAside", () -> store.countSetAside(names));
    }

    @Override
    public StoreStats stats(Instant now) {
        return forward("stats", () -> store.stats(now));
    }

    @Override
    public DeadLetters deadLetters() {
        return letters;
    }

    @Override
    public Redrives redrives() {
        return redrives;
    }

    @Override
    public SharedNotes notes() {
        return notes;
    }

    @Override
    public Journal journal() {
        return store.journal();
    }

    @Override
    public LetterOutbox letterOutbox() {
        return store.letterOutbox();
    }

    @Override
    public Adoptions adoptions() {
        return new ForwardedAdoptions(store.adoptions(), this::forward);
    }

    @Override
    public Duration longestLease() {
        return store.longestLease();
    }

    @Override
    public Optional<FlowReport> flow() {
        return store.flow();
    }

    @Override
    public int maxPayload() {
        return store.maxPayload();
    }

    @Override
    public UnfinishedEvents unfinished() {
        return store.unfinished();
    }

    @Override
    public ActivityLog activity() {
        return new ForwardedActivity(store.activity(), this::forward);
    }

    @Override
    public HandledSamples samples() {
        return new ForwardedSamples(store.samples(), this);
    }

    @Override
    public Proposals proposals() {
        return new ForwardedProposals(store.proposals(), this::forward);
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public void onPublished(Runnable wake) {
        store.onPublished(wake);
    }

    @Override
    public void close() {
        store.close();
    }

    private final class ForwardedNotes implements SharedNotes {

        @Override
        public List<Note> read() {
            return forward("read notes", () -> store.notes().read());
        }

        @Override
        public boolean write(Note note) {
            return forward("write note", () -> store.notes().write(note));
        }

        @Override
        public boolean erase(Note note) {
            return forward("erase note", () -> store.notes().erase(note));
        }
    }

    private final class ForwardedLetters implements DeadLetters {

        private DeadLetters inner() {
            return store.deadLetters();
        }

        @Override
        public List<DeadLetter> list(LetterFilter filter, long afterId, int limit) {
            return forward("list", () -> inner().list(filter, afterId, limit));
        }

        @Override
        public List<DeadLetter> newest(LetterFilter filter, long beforeId, int limit) {
            return forward("newest", () -> inner().newest(filter, beforeId, limit));
        }

        @Override
        public List<DeadLetter> listWithHistory(LetterFilter filter, long afterId, int limit) {
            return forward("list with history", () -> inner().listWithHistory(filter, afterId, limit));
        }

        @Override
        public long count(LetterFilter filter) {
            return forward("count", () -> inner().count(filter));
        }

        @Override
        public Map<String, Long> countByCause(Collection<String> fingerprints) {
            return forward("countByCause", () -> inner().countByCause(fingerprints));
        }

        @Override
        public List<LetterGroup> groups(LetterFilter filter, int limit) {
            return forward("groups", () -> inner().groups(filter, limit));
        }

        @Override
        public Optional<DeadLetter> find(long id) {
            return forward("find", () -> inner().find(id));
        }

        @Override
        public boolean edit(long id, byte[] payload, OperatorCommand command, Instant now) {
            return forward("edit", () -> inner().edit(id, payload, command, now));
        }

        @Override
        public Set<Long> replace(List<PayloadChange> changes, String action, OperatorCommand command, Instant now) {
            return forward("replace", () -> inner().replace(changes, action, command, now));
        }

        @Override
        public List<LetterVersion> versions(long id) {
            return forward("versions", () -> inner().versions(id));
        }

        @Override
        public int redrive(RedriveRequest request) {
            return forward("redrive", () -> inner().redrive(request));
        }

        @Override
        public int purge(LetterFilter filter, int limit, OperatorCommand command, Instant now) {
            return forward("purge", () -> inner().purge(filter, limit, command, now));
        }

        @Override
        public int retire(List<DeadLetter> exported, OperatorCommand command, Instant now) {
            return forward("retire", () -> inner().retire(exported, command, now));
        }

        @Override
        public int importLetters(List<DeadLetter> imported, OperatorCommand command, Instant now) {
            return forward("import", () -> inner().importLetters(imported, command, now));
        }

        @Override
        public Causes causes() {
            return new ForwardedCauses(inner().causes(), ForwardingStore.this);
        }

        @Override
        public List<OperatorAction> actions(ActionFilter filter, int limit) {
            return forward("actions", () -> inner().actions(filter, limit));
        }

        @Override
        public void record(OperatorCommand command, String action, String outcome, Instant now) {
            forward("record", () -> inner().record(command, action, outcome, now));
        }
    }

    private final class ForwardedRedrives implements Redrives {

        private Redrives inner() {
            return store.redrives();
        }

        @Override
        public RedriveOperation select(RedriveOrder order, Instant now) {
            return forward("select for redrive", () -> inner().select(order, now));
        }

        @Override
        public RedriveOperation change(String id, RedriveChange change, OperatorCommand command, Instant now) {
            return forward("change redrive", () -> inner().change(id, change, command, now));
        }

        @Override
        public Optional<RedriveOperation> find(String id) {
            return forward("find redrive", () -> inner().find(id));
        }

        @Override
        public List<RedriveOperation> list(int limit) {
            return forward("list redrives", () -> inner().list(limit));
        }

        @Override
        public List<RedrivenLetter> letters(String id, long afterLetter, int limit) {
            return forward("letters of redrive", () -> inner().letters(id, afterLetter, limit));
        }

        @Override
        public RedriveTurn turn(String node, Instant now) {
            return forward("turn of redrive", () -> inner().turn(node, now));
        }

        @Override
        public int sweep(Instant now) {
            return forward("sweep redrives", () -> inner().sweep(now));
        }
    }
}
