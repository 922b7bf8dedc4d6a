package io.redrive.items;

import io.redrive.items.store.SampleRecord;
import java.util.Objects;

/**
 * An element of a source: a good sample, or a bad sample that could not be read. The run counts a bad sample as dead and
 * continues.
 *
 * @param <T> the type of the values
 */
public sealed interface Item<T> {

    /** Returns the id of the sample, for people; need not be unique. */
    String id();

    /** A readable sample. */
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
     * @param message the problem in words, for reports
     */
    record Bad<T>(String id, String type, String message) implements Item<T> {
        /** Refuses a bad id and null. */
        public Bad {
            SampleRecord.requireId(id);
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(message, "message");
        }
    }

    /** Returns a readable sample. */
    static <T> Item<T> of(String id, T value) {
        return new Good<>(id, value);
    }

    /** Returns a sample that could not be read. */
    static <T> Item<T> bad(String id, String type, String message) {
        return new Bad<>(id, type, message);
    }
}
