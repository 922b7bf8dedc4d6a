package io.redrive.items;

import java.util.List;
import java.util.Optional;

/**
 * The destination of results. A run commits the position of the sink together with the end of the written samples, and passes
 * the committed position to {@link #open} when resumed. A sink that can undo the writes after a position, such as a file cut to
 * a length, has each result exactly once, even after a crash. Any other sink may receive some results again after a crash, with
 * the same run and ordinal. Used by one thread at a time.
 *
 * @param <T> the type of the values
 */
public interface Sink<T> extends AutoCloseable {

    /** Returns the name of the destination; each process that shares a run needs its own destination. */
    String name();

    /**
     * Undoes the writes after {@code position}. Called before the first write, and again after a failure.
     *
     * @param position the last committed position; empty when the run has no commit for this sink
     * @return the current position, which the run commits before the first write
     */
    String open(Optional<String> position) throws Exception;

    /** Writes results durably and returns the new position. */
    String write(List<Result<T>> results) throws Exception;

    @Override
    default void close() throws Exception {}

    /** Returns a sink that passes each result to {@code consumer}, at least once. */
    static <T> Sink<T> each(ResultConsumer<T> consumer) {
        return new CallbackSink<>(results -> {
            for (Result<T> result : results) {
                consumer.accept(result);
            }
        });
    }

    /** Returns a sink that passes many results at a time to {@code consumer}, each at least once. */
    static <T> Sink<T> batches(BatchConsumer<T> consumer) {
        return new CallbackSink<>(consumer);
    }

    /** Returns a sink that drops all results: for runs whose stages have the desired effect. */
    static <T> Sink<T> none() {
        return new CallbackSink<>(results -> {});
    }

    /**
     * Takes one result.
     *
     * @param <T> the type of the values
     */
    @FunctionalInterface
    interface ResultConsumer<T> {
        /** Takes the result. After an exception, the run waits and passes the result again. */
        void accept(Result<T> result) throws Exception;
    }

    /**
     * Takes many results.
     *
     * @param <T> the type of the values
     */
    @FunctionalInterface
    interface BatchConsumer<T> {
        /** Takes the results. After an exception, the run waits and passes the results again. */
        void accept(List<Result<T>> results) throws Exception;
    }
}
