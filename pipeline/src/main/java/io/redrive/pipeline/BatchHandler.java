package io.redrive.pipeline;

/**
 * Handles several events of one source at once and reports those that are not simply done. An exception is not the fault
 * of all: the batch is split until the culprits stand alone, so the same events may be seen again at once. Thread-safe.
 */
@FunctionalInterface
public interface BatchHandler {

    /** Handles {@code batch}. */
    void handle(EventBatch batch) throws Exception;
}
