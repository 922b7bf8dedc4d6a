package io.redrive.pekko;

/**
 * A run of an asynchronous attempt.
 *
 * @param number distinguishes the run from abandoned runs of the same message
 * @param startNanos when the attempt began; 0 where attempts are not timed
 * @param exhaustionsAtStart the count of exhausted retries when the attempt began
 */
record AsyncRun<C>(
        PendingMessage<C> pending, int number, AwaitedResult<C, ?> awaited, long startNanos, long exhaustionsAtStart) {}
