package io.redrive.items;

import io.redrive.items.store.SampleRecord;
import java.util.Objects;

/**
 * What a source gives: a sample, or the news that one could not be read. A bad one is accounted for as a dead sample; it
 * does not stop the run.
 *
 * @param <T> the values
 */
public sealed interface Item<T> {

    /** What people call the sample; need not be unique. */
    String id();

    /** A sample. */
    record Good<T>(String id, T value) implements Item<T> {
        /** Refuses a bad id and null. */
        public Good {
            SampleRecord.requireId(id);
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * A sample that could not be read.
     *
     * @param type short type of the problem, such as {@code malformed_json}
     * @param message what a person should read about it
     */
    record Bad<T>(String id, String type, String message) implements Item<T> {
        /** Refuses a bad id and null. */
        public Bad {
            SampleRecord.requireId(id);
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(message, "message");
        }
    }

    /** A sample. */
    static <T> Item<T> of(String id, T value) {
        return new Good<>(id, value);
    }

    /** A sample that could not be read. */
    static <T> Item<T> bad(String id, String type, String message) {
        return new Bad<>(id, type, message);
    }
}
