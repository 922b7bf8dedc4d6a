package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.events.ActionFilter;
import io.redrive.events.EventStore;
import io.redrive.events.OperatorAction;
import io.redrive.operations.flow.Flows;
import io.redrive.pipeline.Member;
import java.util.List;

/**
 * Everything that an operator may know and do about a store. Each method checks the operator's role first; each change is one
 * row in the record of actions. Thread-safe.
 *
 * <pre>{@code
 * Operations operations = Operations.of(store, Operator.named("ann", Role.OPERATOR));
 * operations.letters().groups(LetterFilter.ALL, 10).forEach(System.out::println);
 * }</pre>
 *
 * <p>Every method throws {@link NotPermittedException}, and changes nothing, when the role does not include the command. {@link
 * StoredOperations} works on a store; the command line has a second implementation that asks a server.
 */
public interface Operations {

    /** Returns the operations of this operator on this store. The caller closes the store. */
    static StoredOperations of(EventStore store, Operator operator) {
        return of(store, operator, Time.system());
    }

    /** {@link #of(EventStore, Operator)} with another clock. */
    static StoredOperations of(EventStore store, Operator operator, Time time) {
        return StoredOperations.at(store, operator, time);
    }

    /** Returns the operator that these operations act for. */
    Operator operator();

    /** Retry policies of events: read, explain, change. */
    PolicyOperations policies();

    /** Tokens of callers: list, create, revoke. */
    TokenOperations tokens();

    /**
     * Item runs: list, inspect, report, reprocess, cancel, delete.
     *
     * @throws IllegalStateException when these operations have no store of runs
     */
    RunOperations runs();

    /** Dead letters: list, group, inspect, edit, purge, import. */
    LetterOperations letters();

    /** Redrives of dead letters: preview, start, follow, pause, resume, cancel, dismiss. */
    RedriveOperations redrives();

    /** Events that are not dead: counts, scheduled events, publish, cancel. */
    EventOperations events();

    /** Causes of dead letters: list, assign, note, resolve, ignore, reopen, merge. */
    CauseOperations causes();

    /** Activity by minute and name: counts, rates, percentiles, alert thresholds of the whole store. */
    ActivityOperations activity();

    /** Events in any state, by id, correlation id, ordering key or name. */
    EventFinder finder();

    /** Paused event names: list, pause, resume. */
    PauseOperations pauses();

    /**
     * Routes of webhooks: list, test, enable, disable, rotate.
     *
     * @throws IllegalStateException when these operations have no routes
     */
    RouteOperations routes();

    /** Repairs of the payloads of many letters: preview, apply, revert. */
    RepairOperations repairs();

    /** Proposals: ask for a repair, a redrive or a resolution, list, approve, reject, withdraw. */
    ProposalOperations proposals();

    /** Returns the nodes by name. A stopped node is missing, a crashed node stays listed for an hour. */
    List<Member> nodes();

    /** Returns the flows of records from topics of Kafka, as the nodes reported them within the last seconds. */
    Flows flows();

    /**
     * Returns the record of actions, the newest command first.
     *
     * @param limit the most rows to return, up to {@link io.redrive.events.DeadLetters#MAX_PAGE}
     */
    List<OperatorAction> actions(ActionFilter filter, int limit);
}
