package io.redrive.events;

import java.util.Objects;

/**
 * Asks for a bookmark.
 *
 * @param bookmark the name of the bookmark
 * @param owner identifies the process that asks; another id after a restart
 * @param from the first place that the log has not finished
 * @param forgetsSettled true when the log was set to this place by an operator: the store forgets the settled places from
 *     there on, so that their records are handled again
 * @param keyPrefix the beginning of the ordering keys of this log; may be empty when the log has no ordering keys
 */
public record TakeoverRequest(String bookmark, String owner, long from, boolean forgetsSettled, String keyPrefix) {

    /** Checks the name. */
    public TakeoverRequest {
        Bookmark.requireName(bookmark);
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        if (owner.isBlank() || owner.length() > Bookmark.MAX_NAME) {
            throw new IllegalArgumentException("the owner of a bookmark must be 1 to " + Bookmark.MAX_NAME
                    + " characters, got " + owner.length() + " characters");
        }
    }
}
