package io.redrive.items;

import io.redrive.core.Failure;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A source of samples from an iterator, which is created anew each time the source is opened. */
final class IteratorSource<T> implements SampleSource<T> {

    private final Supplier<Opened<T>> iterators;
    /** Null when the place of a value is its id. */
    private final @Nullable Function<? super T, String> id;

    private final OptionalLong size;

    /** An iterator, and the action that closes the stream behind the iterator. */
    record Opened<T>(Iterator<T> values, Runnable close) {}

    IteratorSource(Supplier<Opened<T>> iterators, @Nullable Function<? super T, String> id, OptionalLong size) {
        this.iterators = iterators;
        this.id = id;
        this.size = size;
    }

    @Override
    public Cursor<T> open() {
        Opened<T> opened = iterators.get();
        return new Cursor<>() {
            private long place;

            @Override
            public Optional<Item<T>> next() {
                if (!opened.values().hasNext()) {
                    return Optional.empty();
                }
                T value = opened.values().next();
                place++;
                return Optional.of(toItem(value, Long.toString(place)));
            }

            @Override
            public void close() {
                opened.close().run();
            }
        };
    }

    /** Returns a bad sample for null and for a value without a valid id, so that the run can continue. */
    private Item<T> toItem(T value, String place) {
        if (value == null) {
            return Item.bad(place, "no_value", "value " + place + " of the source is null");
        }
        try {
            return Item.of(id == null ? place : id.apply(value), value);
        } catch (RuntimeException e) {
            return Item.bad(
                    place,
                    "no_id",
                    "value " + place + " of the source gives no id: "
                            + Failure.thrown(e).message());
        }
    }

    @Override
    public OptionalLong size() {
        return size;
    }
}
