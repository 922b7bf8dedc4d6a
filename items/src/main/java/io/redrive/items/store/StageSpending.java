package io.redrive.items.store;

import java.util.Objects;
import java.util.Optional;

/**
 * The costs of the calls of a stage with a cost limit. Sums stop growing at {@link #MOST}.
 *
 * @param stage the name of the stage
 * @param unit the name of the cost limit, such as {@code tokens}
 * @param price the price of the unit at the time of the calls; empty for a stage without a price
 * @param reported sum of the costs that calls reported
 * @param estimated sum of the estimates for calls that reported no cost, most of which failed
 */
public record StageSpending(String stage, String unit, Optional<Price> price, long reported, long estimated) {

    /** The largest sum; twice the value fits into a {@code long}. */
    public static final long MOST = 4_000_000_000_000_000_000L;

    /** Bounds the sums, and replaces characters of the unit that some databases refuse. */
    public StageSpending {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(price, "price");
        unit = Texts.kept(unit, Texts.MAX_NAME);
        reported = Math.min(MOST, reported);
        estimated = Math.min(MOST, estimated);
    }

    /** Returns the sum of this and {@code other}, which must have the same stage, unit and price. */
    public StageSpending plus(StageSpending other) {
        return new StageSpending(stage, unit, price, reported + other.reported, estimated + other.estimated);
    }
}
