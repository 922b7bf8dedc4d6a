package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.events.ActionFilter;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorAction;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.pipeline.Member;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that an operator may know and do about a store. Each method checks the operator's role first; each change is one
 * row in the record of actions. Thread-safe.
 *
 * <pre>{@code
 * Operations operations = Operations.of(store, Operator.named("ann", Role.OPERATOR));
 * operations.letters().groups(LetterFilter.ALL, 10).forEach(System.out::println);
 * }</pre>
 *
 * <p>Every method throws {@link NotPermittedException}, and changes nothing, when the role does not include the command.
 */
public final class Operations {

    private final Desk desk;
    private final Optional<RunStore> runStore;
    private final PolicyOperations policies;
    private final TokenOperations tokens;
    private final Optional<RunOperations> runs;
    private final LetterOperations letters;
    private final RedriveOperations redrives;
    private final EventOperations events;
    private final CauseOperations causes;
    private final RepairOperations repairs;
    private final ActivityOperations activity;
    private final PauseOperations pauses;
    private final EventFinder finder;

    private Operations(Desk desk) {
        this(desk, Optional.empty());
    }

    private Operations(Desk desk, Optional<RunStore> runStore) {
        this.desk = desk;
        this.runStore = runStore;
        policies = new PolicyOperations(desk);
        tokens = new TokenOperations(desk);
        runs = runStore.map(store -> new RunOperations(desk, store));
        letters = new LetterOperations(desk);
        redrives = new RedriveOperations(desk);
        events = new EventOperations(desk);
        causes = new CauseOperations(desk);
        repairs = new RepairOperations(desk);
        activity = new ActivityOperations(desk);
        pauses = new PauseOperations(desk);
        finder = new EventFinder(desk);
    }

    /** Returns the operations of this operator on this store. The caller closes the store. */
    public static Operations of(EventStore store, Operator operator) {
        return of(store, operator, Time.system());
    }

    /** {@link #of(EventStore, Operator)} with another clock. */
    public static Operations of(EventStore store, Operator operator, Time time) {
        return new Operations(new Desk(
                Objects.requireNonNull(store, "store"),
                Objects.requireNonNull(operator, "operator"),
                Objects.requireNonNull(time, "time"),
                Redaction.NONE));
    }

    /**
     * Returns the same operations, which show no value that {@code redaction} replaces, whatever its mode. Commands still work on the
     * stored values: a repair sees them all.
     */
    public Operations showing(Redaction redaction) {
        return new Operations(
                new Desk(desk.store(), desk.operator(), desk.time(), Objects.requireNonNull(redaction, "redaction")),
                runStore);
    }

    /** Returns the redaction of all values that these operations show. */
    public Redaction redaction() {
        return desk.redaction();
    }

    /** Returns the operator that these operations act for. */
    public Operator operator() {
        return desk.operator();
    }

    /** Returns the same operations, also on item runs. The caller closes both stores. */
    public Operations withRuns(RunStore store) {
        return new Operations(desk, Optional.of(store));
    }

    /** Retry policies of events: read, explain, change. */
    public PolicyOperations policies() {
        return policies;
    }

    /** Tokens of callers: list, create, revoke. */
    public TokenOperations tokens() {
        return tokens;
    }

    /**
     * Item runs: list, inspect, report, reprocess, cancel, delete.
     *
     * @throws IllegalStateException without {@link #withRuns}
     */
    public RunOperations runs() {
        return runs.orElseThrow(() -> new IllegalStateException("no store of runs was given; use withRuns"));
    }

    /**
     * Records that the configuration of a process changed, which the process did itself.
     *
     * @param keys the changed settings, in words
     */
    public void recordConfiguration(String keys) {
        desk.record(desk.command(Verb.CONFIGURE, keys), Verb.CONFIGURE, "in force");
    }

    /** Dead letters: list, group, inspect, edit, purge, import. */
    public LetterOperations letters() {
        return letters;
    }

    /** Redrives of dead letters: preview, start, follow, pause, resume, cancel, dismiss. */
    public RedriveOperations redrives() {
        return redrives;
    }

    /** Events that are not dead: counts, scheduled events, publish, cancel. */
    public EventOperations events() {
        return events;
    }

    /** Causes of dead letters: list, assign, note, resolve, ignore, reopen, merge. */
    public CauseOperations causes() {
        return causes;
    }

    /** Activity by minute and name: counts, rates, percentiles, alert thresholds of the whole store. */
    public ActivityOperations activity() {
        return activity;
    }

    /** Events in any state, by id, correlation id, ordering key or name. */
    public EventFinder finder() {
        return finder;
    }

    /** Paused event names: list, pause, resume. */
    public PauseOperations pauses() {
        return pauses;
    }

    /**
     * Routes of webhooks: list, test, enable, disable, rotate.
     *
     * @param routes the routes of the process that delivers webhooks
     */
    public RouteOperations routes(WebhookRoutes routes) {
        return new RouteOperations(desk, Objects.requireNonNull(routes, "routes"));
    }

    /** Repairs of the payloads of many letters: preview, apply, revert. */
    public RepairOperations repairs() {
        return repairs;
    }

    /** Returns the nodes by name. A stopped node is missing, a crashed node stays listed for an hour. */
    public List<Member> nodes() {
        return Member.of(desk.read().notes());
    }

    /**
     * Returns the record of actions, the newest command first.
     *
     * @param limit the most rows to return, up to {@link io.redrive.events.DeadLetters#MAX_PAGE}
     */
    public List<OperatorAction> actions(ActionFilter filter, int limit) {
        return desk.read().deadLetters().actions(filter, limit).stream()
                .map(desk.shown()::action)
                .toList();
    }
}
