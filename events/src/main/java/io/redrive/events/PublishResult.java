package io.redrive.events;

import java.util.OptionalLong;

/** The result of publishing one event; durable when the caller sees it. */
public sealed interface PublishResult {

    /** The event was stored. */
    PublishResult ACCEPTED = new Accepted();

    /** A duplicate whose earlier event waits, is being handled, or is done. */
    PublishResult DUPLICATE = new Duplicate(OptionalLong.empty());

    /** The event was stored and will be handled. */
    record Accepted() implements PublishResult {}

    /**
     * The event was dropped: an event with the same id and correlation id was published before, within the retention
     * of keys.
     *
     * @param letter the id of the dead letter of the earlier event, which is handled again only when the letter is
     *     redriven; empty when the earlier event is not a dead letter
     */
    record Duplicate(OptionalLong letter) implements PublishResult {}

    /** Returns true when the event was dropped. */
    default boolean isDuplicate() {
        return this instanceof Duplicate;
    }

    /** Returns the dead letter of the earlier event; empty unless this is a duplicate of a dead letter. */
    default OptionalLong letter() {
        return OptionalLong.empty();
    }

    /** Returns the result for a duplicate of a dead letter. */
    static PublishResult duplicateOf(long letter) {
        return new Duplicate(OptionalLong.of(letter));
    }
}
