package io.redrive.items;

/**
 * Which attempt at which sample this is. {@code run + "/" + ordinal} names the sample for good: a key for services that
 * take one to tell repeated calls.
 *
 * @param run the run's id
 * @param ordinal the sample's place in the source, from 0
 * @param id the sample's id
 * @param attempt the attempt at this stage, from 1
 * @param cost where to report what the call has cost; samples of one batch share it
 */
public record SampleContext(String run, long ordinal, String id, int attempt, CallCost cost) {

    /** The context of a call without a cost limit. */
    public SampleContext(String run, long ordinal, String id, int attempt) {
        this(run, ordinal, id, attempt, CallCost.NONE);
    }
}
