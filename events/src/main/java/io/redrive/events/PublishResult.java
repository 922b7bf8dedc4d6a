package io.redrive.events;

import java.util.OptionalLong;

/** What became of one published event; durable when the caller sees it. */
public sealed interface PublishResult {

    /** Stored; it will be handled. */
    PublishResult ACCEPTED = new Accepted();

    /** A duplicate that is no dead letter: its event waits, is being handled, or is done. */
    PublishResult DUPLICATE = new Duplicate(OptionalLong.empty());

    /** Stored; it will be handled. */
    record Accepted() implements PublishResult {}

    /**
     * The same id and correlation id was published before, within the retention of keys: dropped.
     *
     * @param letter the id of the dead letter that the earlier event has become. The event is handled again only when that
     *     letter is redriven; empty when the earlier event is no dead letter
     */
    record Duplicate(OptionalLong letter) implements PublishResult {}

    /** True when the event was dropped. */
    default boolean isDuplicate() {
        return this instanceof Duplicate;
    }

    /** The dead letter that the earlier event has become; empty unless this is a duplicate of one. */
    default OptionalLong letter() {
        return OptionalLong.empty();
    }

    /** A duplicate of a dead letter. */
    static PublishResult duplicateOf(long letter) {
        return new Duplicate(OptionalLong.of(letter));
    }
}
