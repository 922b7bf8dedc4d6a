package io.redrive.events;

/** What became of one published event; durable when the caller sees it. */
public enum PublishResult {
    /** Stored; it will be handled. */
    ACCEPTED,
    /** The same id and correlation id was published before, within the retention of keys: dropped. */
    DUPLICATE
}
