package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.events.ActionFilter;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorAction;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.operations.flow.Flows;
import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.ThresholdsInForce;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * {@link Operations} on a store of this process, as {@link Operations#of} makes them. Item runs and routes of webhooks are added
 * where the process has them. Thread-safe.
 */
public final class StoredOperations implements Operations {

    private final Desk desk;
    private final Optional<RunStore> runStore;
    private final Optional<WebhookRoutes> webhookRoutes;
    private final PolicyOperations policies;
    private final TokenOperations tokens;
    private final Optional<RunOperations> runs;
    private final Optional<RouteOperations> routes;
    private final LetterOperations letters;
    private final RedriveOperations redrives;
    private final EventOperations events;
    private final CauseOperations causes;
    private final RepairOperations repairs;
    private final ProposalOperations proposals;
    private final ActivityOperations activity;
    private final PauseOperations pauses;
    private final EventFinder finder;

    private StoredOperations(Desk desk, Optional<RunStore> runStore, Optional<WebhookRoutes> webhookRoutes) {
        this.desk = desk;
        this.runStore = runStore;
        this.webhookRoutes = webhookRoutes;
        policies = new StoredPolicies(desk);
        tokens = new StoredTokens(desk);
        runs = runStore.map(store -> new StoredRuns(Optional.of(desk), store, desk.time()));
        routes = webhookRoutes.map(table -> new StoredRoutes(desk, table));
        letters = new StoredLetters(desk);
        redrives = new StoredRedrives(desk);
        events = new StoredEvents(desk);
        causes = new StoredCauses(desk);
        repairs = new StoredRepairs(desk);
        proposals = new StoredProposals(desk);
        activity = new StoredActivity(desk);
        pauses = new StoredPauses(desk);
        finder = new StoredEventFinder(desk);
    }

    static StoredOperations at(EventStore store, Operator operator, Time time) {
        Desk desk = new Desk(
                Objects.requireNonNull(store, "store"),
                Objects.requireNonNull(operator, "operator"),
                Objects.requireNonNull(time, "time"),
                Redaction.NONE,
                AlertThresholds.STANDARD);
        return new StoredOperations(desk, Optional.empty(), Optional.empty());
    }

    /**
     * Returns the same operations, which show no value that {@code redaction} replaces, whatever its mode. Commands still work on the
     * stored values: a repair sees them all.
     */
    public StoredOperations showing(Redaction redaction) {
        Desk showing = new Desk(
                desk.store(),
                desk.operator(),
                desk.time(),
                Objects.requireNonNull(redaction, "redaction"),
                desk.thresholds());
        return new StoredOperations(showing, runStore, webhookRoutes);
    }

    /** Returns the same operations, which compare the activity of the store with these thresholds. */
    public StoredOperations withAlerts(ThresholdsInForce thresholds) {
        Desk judging = new Desk(
                desk.store(),
                desk.operator(),
                desk.time(),
                desk.redaction(),
                Objects.requireNonNull(thresholds, "thresholds"));
        return new StoredOperations(judging, runStore, webhookRoutes);
    }

    /** Returns the redaction of all values that these operations show. */
    public Redaction redaction() {
        return desk.redaction();
    }

    /** Returns the same operations, also on item runs. The caller closes both stores. */
    public StoredOperations withRuns(RunStore store) {
        return new StoredOperations(desk, Optional.of(store), webhookRoutes);
    }

    /**
     * Returns the same operations, also on routes of webhooks.
     *
     * @param routes the routes of the process that delivers webhooks
     */
    public StoredOperations withRoutes(WebhookRoutes routes) {
        return new StoredOperations(desk, runStore, Optional.of(routes));
    }

    /**
     * Records that the configuration of a process changed, which the process did itself.
     *
     * @param keys the changed settings, in words
     */
    public void recordConfiguration(String keys) {
        desk.record(desk.command(Verb.CONFIGURE, keys), Verb.CONFIGURE, "in force");
    }

    @Override
    public Operator operator() {
        return desk.operator();
    }

    @Override
    public PolicyOperations policies() {
        return policies;
    }

    @Override
    public TokenOperations tokens() {
        return tokens;
    }

    @Override
    public RunOperations runs() {
        return runs.orElseThrow(() -> new IllegalStateException("no store of runs was given; use withRuns"));
    }

    @Override
    public RouteOperations routes() {
        return routes.orElseThrow(() -> new IllegalStateException("no routes were given; use withRoutes"));
    }

    @Override
    public LetterOperations letters() {
        return letters;
    }

    @Override
    public RedriveOperations redrives() {
        return redrives;
    }

    @Override
    public EventOperations events() {
        return events;
    }

    @Override
    public CauseOperations causes() {
        return causes;
    }

    @Override
    public ActivityOperations activity() {
        return activity;
    }

    @Override
    public EventFinder finder() {
        return finder;
    }

    @Override
    public PauseOperations pauses() {
        return pauses;
    }

    @Override
    public RepairOperations repairs() {
        return repairs;
    }

    @Override
    public ProposalOperations proposals() {
        return proposals;
    }

    @Override
    public List<Member> nodes() {
        return Member.of(desk.read().notes());
    }

    @Override
    public Flows flows() {
        return StoredFlows.read(desk.read(), desk.now());
    }

    @Override
    public List<OperatorAction> actions(ActionFilter filter, int limit) {
        return desk.read().deadLetters().actions(filter, limit).stream()
                .map(desk.shown()::action)
                .toList();
    }
}
