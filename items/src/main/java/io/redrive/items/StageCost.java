package io.redrive.items;

import io.redrive.core.CostLimit;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/** The cost limit of a stage, the estimate for one sample, and the price where one is given. */
record StageCost(CostLimit limit, ToLongFunction<Object> estimate, Optional<Price> price) {

    /** A waiting worker looks this often whether the run is being stopped. */
    private static final Duration LOOK = Duration.ofMillis(100);

    /** A reservation for one call; closed when the call has ended. */
    record Reserved(CostLimit limit, CostLimit.Reservation reservation) implements CallCost, AutoCloseable {
        @Override
        public void actual(long cost) {
            reservation.settle(cost);
        }

        @Override
        public void observed(long allowed, long remaining) {
            limit.observe(allowed, remaining);
        }

        @Override
        public void close() {
            reservation.close();
        }
    }

    /** Returns what a call of the stage with this name cost, once it has ended. */
    StageSpending spent(String stage, CostLimit.Reservation call) {
        return call.isActual()
                ? new StageSpending(stage, limit.name(), price, call.cost(), 0)
                : new StageSpending(stage, limit.name(), price, 0, call.cost());
    }

    /** Waits on the worker until the estimate for all these samples is reserved; empty when the run is being stopped. */
    Optional<Reserved> await(List<?> values, BooleanSupplier stopped, Time time) throws InterruptedException {
        long sum = 0;
        for (Object value : values) {
            sum = Math.addExact(sum, estimate.applyAsLong(value));
        }
        while (!stopped.getAsBoolean()) {
            Optional<CostLimit.Reservation> reserved = limit.tryReserve(sum);
            if (reserved.isPresent()) {
                return reserved.map(reservation -> new Reserved(limit, reservation));
            }
            time.sleep(Floor.shorter(limit.untilFree(), LOOK));
        }
        return Optional.empty();
    }
}
