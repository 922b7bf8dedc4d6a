package io.redrive.items;

import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where samples come from. Read lazily: no more than a run's window is in memory, however many there are.
 *
 * <p>A resumed run opens its source again and passes over what it has taken already, so the source must give the same
 * samples in the same order; what comes after may have grown. A run notices when it does not and refuses to go on.
 *
 * @param <T> the values
 */
public interface SampleSource<T> {

    /** Starts from the first sample. */
    Cursor<T> open() throws Exception;

    /** How many there are, where that is cheap to know; for progress and for the balance of a run that stopped early. */
    default OptionalLong size() throws Exception {
        return OptionalLong.empty();
    }

    /**
     * Goes through the samples once. Used by one thread at a time.
     *
     * @param <T> the values
     */
    interface Cursor<T> extends AutoCloseable {

        /** The next sample; empty at the end. What it throws stops the run, which can then be resumed. */
        Optional<Item<T>> next() throws Exception;

        @Override
        default void close() throws Exception {}
    }

    /** The values of a collection; their ids are their places, from 1. */
    static <T> SampleSource<T> of(Iterable<T> values) {
        return new IteratorSource<>(
                () -> new IteratorSource.Opened<>(values.iterator(), () -> {}), null, sizeOf(values));
    }

    /** The values of a collection under the ids given by {@code id}. */
    static <T> SampleSource<T> of(Iterable<T> values, Function<? super T, String> id) {
        return new IteratorSource<>(() -> new IteratorSource.Opened<>(values.iterator(), () -> {}), id, sizeOf(values));
    }

    /** The values of a stream, made anew whenever a run is started or resumed, and closed; ids are places, from 1. */
    static <T> SampleSource<T> stream(Supplier<Stream<T>> streams) {
        return new IteratorSource<>(() -> opened(streams.get()), null, OptionalLong.empty());
    }

    /** The values of a stream under the ids given by {@code id}. */
    static <T> SampleSource<T> stream(Supplier<Stream<T>> streams, Function<? super T, String> id) {
        return new IteratorSource<>(() -> opened(streams.get()), id, OptionalLong.empty());
    }

    private static <T> IteratorSource.Opened<T> opened(Stream<T> stream) {
        Iterator<T> values = stream.iterator();
        return new IteratorSource.Opened<>(values, stream::close);
    }

    private static OptionalLong sizeOf(Iterable<?> values) {
        return values instanceof Collection<?> known ? OptionalLong.of(known.size()) : OptionalLong.empty();
    }
}
