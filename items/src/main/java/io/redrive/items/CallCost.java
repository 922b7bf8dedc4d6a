package io.redrive.items;

/**
 * The cost of one call of a stage that has a {@link Stage#costLimit}: a stage reports the actual cost here, in place of the
 * estimate that was reserved. Without a cost limit, reports change nothing. Thread-safe.
 */
public interface CallCost {

    /** The cost of a call whose stage has no cost limit. */
    CallCost NONE = new CallCost() {
        @Override
        public void actual(long cost) {
            // Nothing was reserved.
        }

        @Override
        public void observed(long limit, long remaining) {
            // There is no limit to adapt.
        }
    };

    /** Replaces the reserved estimate by the actual cost; the first report counts. */
    void actual(long cost);

    /** Tells how much the server allows and how much it has left; negative for a number that it does not give. */
    void observed(long limit, long remaining);
}
