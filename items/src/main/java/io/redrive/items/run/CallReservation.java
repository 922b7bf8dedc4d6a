package io.redrive.items.run;

import io.redrive.core.CostLimit;
import io.redrive.core.Time;
import io.redrive.items.CallCost;
import io.redrive.items.Stage;
import io.redrive.items.store.StageSpending;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The estimated cost of one call, reserved from the cost limit of its stage; closed when the call has ended. */
record CallReservation(CostLimit limit, CostLimit.Reservation reservation) implements CallCost, AutoCloseable {

    /** A worker that waits for the limit asks this often whether the run stops. */
    private static final Duration ASK_EVERY = Duration.ofMillis(100);

    /** Waits, on the worker's thread, until the estimate for all values is reserved; empty when {@code stopped} says so. */
    static <I> Optional<CallReservation> await(
            CostLimit limit, Stage<I, ?> stage, List<I> values, BooleanSupplier stopped, Time time)
            throws InterruptedException {
        long sum = 0;
        for (I value : values) {
            sum = Math.addExact(sum, stage.estimateOf(value));
        }
        while (!stopped.getAsBoolean()) {
            Optional<CostLimit.Reservation> reserved = limit.tryReserve(sum);
            if (reserved.isPresent()) {
                return reserved.map(reservation -> new CallReservation(limit, reservation));
            }
            time.sleep(Lanes.shorter(limit.untilFree(sum), ASK_EVERY));
        }
        return Optional.empty();
    }

    @Override
    public void actual(long cost) {
        reservation.settle(cost);
    }

    @Override
    public void observed(long allowed, long remaining) {
        limit.observe(allowed, remaining);
    }

    @Override
    public void hold(Duration wait) {
        limit.hold(wait);
    }

    /** Returns the cost of the call, after its end. */
    StageSpending spent(Stage<?, ?> stage) {
        long cost = reservation.cost();
        return reservation.isActual()
                ? new StageSpending(stage.name(), limit.name(), stage.price(), cost, 0)
                : new StageSpending(stage.name(), limit.name(), stage.price(), 0, cost);
    }

    @Override
    public void close() {
        reservation.close();
    }
}
