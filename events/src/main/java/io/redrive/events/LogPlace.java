package io.redrive.events;

/**
 * The place of a record in a log, for a handler that settles the place in a transaction of its own.
 *
 * @param bookmark the name of the log's bookmark
 * @param place the place of the record
 * @param isStored true when the handler has the record's event from the store, as a retry: the adoption has settled the place already,
 *     so the handler's work has a mark of its own
 */
public record LogPlace(String bookmark, long place, boolean isStored) {

    /** Checks the name and the place. */
    public LogPlace {
        Bookmark.requireName(bookmark);
        if (place < 0) {
            throw new IllegalArgumentException("place must not be negative, got " + place);
        }
    }
}
