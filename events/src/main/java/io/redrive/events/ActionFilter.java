package io.redrive.events;

import java.time.Instant;
import java.util.Optional;

/**
 * Selects rows of the record of actions; an empty field does not restrict.
 * {@code ActionFilter.ALL.withOperator("ann").withAction("purge")}.
 *
 * @param operator who gave the command
 * @param action redrive, edit, purge or import
 * @param since begun at or after
 * @param until begun before
 */
public record ActionFilter(
        Optional<String> operator, Optional<String> action, Optional<Instant> since, Optional<Instant> until) {

    /** Every row. */
    public static final ActionFilter ALL =
            new ActionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Also restricted to this operator. */
    public ActionFilter withOperator(String only) {
        return new ActionFilter(Optional.of(only), action, since, until);
    }

    /** Also restricted to this action. */
    public ActionFilter withAction(String only) {
        return new ActionFilter(operator, Optional.of(only), since, until);
    }

    /** Also restricted to commands begun in this span; null leaves that end open. */
    public ActionFilter withTime(Instant from, Instant before) {
        return new ActionFilter(operator, action, Optional.ofNullable(from), Optional.ofNullable(before));
    }

    /** True when {@code row} is selected. */
    public boolean matches(OperatorAction row) {
        return operator.map(row.operator()::equals).orElse(true)
                && action.map(row.action()::equals).orElse(true)
                && since.map(from -> !row.at().isBefore(from)).orElse(true)
                && until.map(row.at()::isBefore).orElse(true);
    }
}
