package io.redrive.events;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Selects rows of the record of actions; an empty field does not restrict. {@code
 * ActionFilter.ALL.withOperator("ann").withAction("purge")}.
 *
 * @param operator the operator who gave the command
 * @param action the verb of the command, such as redrive, edit or purge
 * @param since begun at or after this time
 * @param until begun before this time
 * @param after the id of a command: only rows behind its row, in the order in which a store returns them; none when the store has no
 *     row of the command
 */
public record ActionFilter(
        Optional<String> operator,
        Optional<String> action,
        Optional<Instant> since,
        Optional<Instant> until,
        Optional<String> after) {

    /** Selects every row. */
    public static final ActionFilter ALL =
            new ActionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns this filter, also restricted to this operator. */
    public ActionFilter withOperator(String only) {
        return new ActionFilter(Optional.of(only), action, since, until, after);
    }

    /** Returns this filter, also restricted to this action. */
    public ActionFilter withAction(String only) {
        return new ActionFilter(operator, Optional.of(only), since, until, after);
    }

    /** Returns this filter, also restricted to commands begun in this span; a null end is open. */
    public ActionFilter withTime(@Nullable Instant from, @Nullable Instant before) {
        return new ActionFilter(operator, action, Optional.ofNullable(from), Optional.ofNullable(before), after);
    }

    /** Returns this filter for the next page: only rows behind the row of this command. */
    public ActionFilter withAfter(String command) {
        return new ActionFilter(operator, action, since, until, Optional.of(command));
    }

    /** Returns true when the filter selects {@code row}, wherever the row stands in the record. */
    public boolean matches(OperatorAction row) {
        return operator.map(row.operator()::equals).orElse(true)
                && action.map(row.action()::equals).orElse(true)
                && since.map(from -> !row.at().isBefore(from)).orElse(true)
                && until.map(row.at()::isBefore).orElse(true);
    }
}
