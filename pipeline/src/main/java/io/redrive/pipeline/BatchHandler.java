package io.redrive.pipeline;

/**
 * Handles several events of one source at once and reports the events that are not done. When the handler throws, the
 * batch is split until the failing events are alone, so the same events may come again at once. Thread-safe.
 */
@FunctionalInterface
public interface BatchHandler {

    /** Handles {@code batch}. */
    void handle(EventBatch batch) throws Exception;
}
