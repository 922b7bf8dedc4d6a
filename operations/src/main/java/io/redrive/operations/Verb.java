package io.redrive.operations;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The kinds of commands, each with the least role that may give the command. */
public enum Verb {
    /** Looks at events, letters, nodes, activity and the record of actions. */
    READ(Role.VIEWER),
    /** Publishes events by hand. */
    PUBLISH(Role.OPERATOR),
    /** Changes the shared retry policy of event names. */
    CHANGE_POLICY(Role.OPERATOR),
    /** Makes dead samples of a run pending again. */
    REPROCESS(Role.OPERATOR),
    /** Stops an item run for good. */
    CANCEL_RUN(Role.OPERATOR),
    /** Deletes an item run with its samples. */
    DELETE_RUN(Role.ADMIN),
    /** Looks at the tokens of callers. */
    LIST_TOKENS(Role.ADMIN),
    /** Makes a token for a caller. */
    CREATE_TOKEN(Role.ADMIN),
    /** Ends a token. */
    REVOKE_TOKEN(Role.ADMIN),
    /** Changes the configuration of a process. */
    CONFIGURE(Role.ADMIN),
    /** Removes an event that no handler has begun. The event may be published again. */
    CANCEL(Role.OPERATOR),
    /** Makes the events of dead letters ready again. */
    REDRIVE(Role.OPERATOR),
    /** Sends no further letter of a redrive operation. */
    PAUSE_REDRIVE(Role.OPERATOR),
    /** Goes on with a paused redrive operation. */
    RESUME_REDRIVE(Role.OPERATOR),
    /** Ends a redrive operation. */
    CANCEL_REDRIVE(Role.OPERATOR),
    /** Removes an ended redrive operation and the results of its letters. */
    DISMISS_REDRIVE(Role.OPERATOR),
    /** Replaces the payload of a dead letter and keeps the original. */
    EDIT(Role.OPERATOR),
    /** Changes the payloads of many dead letters with one expression and keeps the payloads before. */
    REPAIR(Role.OPERATOR),
    /** Takes repairs back. */
    REVERT(Role.OPERATOR),
    /** Takes letters over from an export. */
    IMPORT(Role.OPERATOR),
    /** Names the owner of a cause. */
    ASSIGN(Role.OPERATOR),
    /** Writes the note or the ticket of a cause. */
    NOTE(Role.OPERATOR),
    /** Calls a cause resolved. */
    RESOLVE(Role.OPERATOR),
    /** Silences a cause. */
    IGNORE(Role.OPERATOR),
    /** Opens a cause again. */
    REOPEN(Role.OPERATOR),
    /** Merges a cause into another. */
    MERGE(Role.OPERATOR),
    /** Pauses event names. */
    PAUSE(Role.OPERATOR),
    /** Ends a pause of event names. */
    RESUME(Role.OPERATOR),
    /** Asks for a change with a proposal. */
    PROPOSE(Role.ASSISTANT),
    /** Takes an own proposal back. */
    WITHDRAW(Role.ASSISTANT),
    /** Carries a proposed command out, whose own verb must be allowed too. */
    APPROVE(Role.OPERATOR),
    /** Refuses a proposal. */
    REJECT(Role.OPERATOR),
    /** Sends a test message to the destination of a route. */
    TEST_ROUTE(Role.OPERATOR),
    /** Delivers the events of a route again. */
    ENABLE_ROUTE(Role.OPERATOR),
    /** Delivers no event of a route; the events wait. */
    DISABLE_ROUTE(Role.OPERATOR),
    /** Replaces the secret of a route. */
    ROTATE_ROUTE(Role.ADMIN),
    /** Exports old letters to files and deletes them. */
    RETIRE(Role.ADMIN),
    /** Deletes letters for good. */
    PURGE(Role.ADMIN);

    private final Role least;

    Verb(Role least) {
        this.least = least;
    }

    /** Returns the least role that may give such a command. */
    public Role least() {
        return least;
    }

    /** Returns the name in the record of actions, such as {@code redrive} or {@code pause-redrive}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the codes of the verbs that change the store: the possible actions in the record of actions. */
    public static List<String> recorded() {
        return Arrays.stream(values())
                .filter(verb -> verb != READ && verb != LIST_TOKENS)
                .map(Verb::code)
                .toList();
    }
}
