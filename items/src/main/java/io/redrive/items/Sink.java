package io.redrive.items;

import java.util.List;
import java.util.Optional;

/**
 * Where results go. The run stores the sink's position together with the results it has written, and gives it back when it
 * is resumed: a sink that can undo what came after a position (a file, cut to its length) has each result exactly once,
 * whatever crashed. One that cannot sees some results again after a crash and tells them by run and ordinal. Used by one
 * thread at a time.
 *
 * @param <T> the values
 */
public interface Sink<T> extends AutoCloseable {

    /** Names the place it writes to; each process that shares a run needs a place of its own. */
    String name();

    /**
     * Called before the first write, and again after a failure: undoes what was written after {@code position}.
     *
     * @param position what was stored last; empty when the run has not written here before
     * @return the position it is at now, which is stored before anything is written
     */
    String open(Optional<String> position) throws Exception;

    /** Writes results; they are safe when it returns. Answers the new position. */
    String write(List<Result<T>> results) throws Exception;

    @Override
    default void close() throws Exception {}

    /** A sink that calls you with each result, at least once. */
    static <T> Sink<T> each(ResultConsumer<T> consumer) {
        return new CallbackSink<>(results -> {
            for (Result<T> result : results) {
                consumer.accept(result);
            }
        });
    }

    /** A sink that calls you with many results at once, each at least once. */
    static <T> Sink<T> batches(BatchConsumer<T> consumer) {
        return new CallbackSink<>(consumer);
    }

    /** A sink that forgets: for runs whose stages have done all there is to do. */
    static <T> Sink<T> none() {
        return new CallbackSink<>(results -> {});
    }

    /**
     * Takes one result.
     *
     * @param <T> the values
     */
    @FunctionalInterface
    interface ResultConsumer<T> {
        /** What it throws holds up the run, and the results come again. */
        void accept(Result<T> result) throws Exception;
    }

    /**
     * Takes many results.
     *
     * @param <T> the values
     */
    @FunctionalInterface
    interface BatchConsumer<T> {
        /** What it throws holds up the run, and the results come again. */
        void accept(List<Result<T>> results) throws Exception;
    }
}
