package io.redrive.items;

/**
 * The identity of an attempt at a sample. {@code run + "/" + ordinal} identifies the sample across attempts and is a good
 * idempotency key for services that detect repeated calls.
 *
 * @param run the id of the run
 * @param ordinal the position of the sample in the source, from 0
 * @param id the id of the sample
 * @param attempt the number of the attempt at this stage, from 1
 * @param cost takes the cost of the call; shared by the samples of a batch
 */
public record SampleContext(String run, long ordinal, String id, int attempt, CallCost cost) {

    /** Creates the context of a call without a cost limit. */
    public SampleContext(String run, long ordinal, String id, int attempt) {
        this(run, ordinal, id, attempt, CallCost.NONE);
    }
}
