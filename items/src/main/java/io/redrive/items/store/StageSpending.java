package io.redrive.items.store;

import java.util.Objects;
import java.util.Optional;

/**
 * What calls of a stage with a cost limit have cost. Sums stop growing at {@link #MOST}.
 *
 * @param stage the stage's name
 * @param unit what is counted, such as {@code tokens}: the name of the cost limit
 * @param price the price of the unit at the time of the calls; empty when none was given
 * @param reported sum of the costs that calls reported
 * @param estimated sum of the estimates for calls that reported no cost, most of which failed
 */
public record StageSpending(String stage, String unit, Optional<Price> price, long reported, long estimated) {

    /** The largest sum; two of them fit into a {@code long}. */
    public static final long MOST = 4_000_000_000_000_000_000L;

    /** Bounds the sums and mends a unit that no store could keep. */
    public StageSpending {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(price, "price");
        unit = Texts.kept(unit, Texts.MAX_NAME);
        reported = Math.min(MOST, reported);
        estimated = Math.min(MOST, estimated);
    }

    /** Returns the sum of both, which must be of one stage, unit and price. */
    public StageSpending plus(StageSpending other) {
        return new StageSpending(stage, unit, price, reported + other.reported, estimated + other.estimated);
    }
}
