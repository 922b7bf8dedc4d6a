package io.redrive.items;

import java.time.Duration;

/**
 * Takes the reports of a stage with a {@link Stage#costLimit} about the cost of one call. The actual cost replaces the
 * reserved estimate. Without a cost limit, reports have no effect. Thread-safe.
 */
public interface CallCost {

    /** Ignores all reports; for calls of stages without a cost limit. */
    CallCost NONE = new CallCost() {
        @Override
        public void actual(long cost) {
            // Without a cost limit, no estimate was reserved.
        }

        @Override
        public void observed(long limit, long remaining) {
            // Without a cost limit, no limit is adapted.
        }

        @Override
        public void hold(Duration wait) {
            // Without a cost limit, no call waits for it.
        }
    };

    /** Replaces the reserved estimate by the actual cost. Only the first report of a call has an effect. */
    void actual(long cost);

    /**
     * Reports the limit that the server allows and the part of the limit that remains. Both are in the unit of the cost limit.
     *
     * @param limit the limit of the server; negative when unknown
     * @param remaining the remaining part; negative when unknown
     */
    void observed(long limit, long remaining);

    /** Reports that the server has nothing left for this time: no further call of the stage begins until then. */
    void hold(Duration wait);
}
