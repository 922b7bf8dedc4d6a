package io.redrive.items;

import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The origin of the samples of a run. Read lazily: at most the window of the run is in memory, regardless of the size.
 *
 * <p>A resumed run opens the source again and passes over the samples taken before, so the source must return the same samples
 * in the same order; new samples may follow at the end. A run refuses to resume with {@link SourceException} when the samples
 * differ.
 *
 * @param <T> the type of the values
 */
public interface SampleSource<T> {

    /** Returns a cursor at the first sample. */
    Cursor<T> open() throws Exception;

    /** Returns the number of samples if cheap to determine, for progress and the balance of a stopped run; empty by default. */
    default OptionalLong size() throws Exception {
        return OptionalLong.empty();
    }

    /**
     * Reads the samples once, in order. Used by one thread at a time.
     *
     * @param <T> the type of the values
     */
    interface Cursor<T> extends AutoCloseable {

        /** Returns the next sample; empty at the end. An exception stops the run, which can be resumed. */
        Optional<Item<T>> next() throws Exception;

        @Override
        default void close() throws Exception {}
    }

    /** Returns the values of a collection as samples; ids are positions, from 1. */
    static <T> SampleSource<T> of(Iterable<T> values) {
        return new IteratorSource<>(
                () -> new IteratorSource.Opened<>(values.iterator(), () -> {}), null, sizeOf(values));
    }

    /** Returns the values of a collection as samples with the ids that {@code id} returns. */
    static <T> SampleSource<T> of(Iterable<T> values, Function<? super T, String> id) {
        return new IteratorSource<>(() -> new IteratorSource.Opened<>(values.iterator(), () -> {}), id, sizeOf(values));
    }

    /**
     * Returns the values of a stream as samples; ids are positions, from 1. Each opening gets a new stream from {@code streams} and
     * closes the stream at the end.
     */
    static <T> SampleSource<T> stream(Supplier<Stream<T>> streams) {
        return new IteratorSource<>(() -> opened(streams.get()), null, OptionalLong.empty());
    }

    /** Returns the values of a stream as samples with the ids that {@code id} returns. */
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
