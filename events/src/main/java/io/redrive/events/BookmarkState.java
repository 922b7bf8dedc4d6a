package io.redrive.events;

/**
 * What a store keeps of a bookmark, and the rule by which a takeover changes it.
 *
 * @param epoch the number of takeovers
 * @param owner the process that took the bookmark over last
 * @param released true once the owner left in good order
 * @param from the place of the log at the last takeover
 * @param crashes owners in a row that ended without a release since the log stands at {@code from}
 */
public record BookmarkState(long epoch, String owner, boolean released, long from, int crashes) {

    /** A new bookmark, without an owner. */
    public static final BookmarkState UNUSED = new BookmarkState(0, "", true, -1, 0);

    /**
     * Returns the state after a takeover. An owner that did not release counts as crashed, unless the same process takes the
     * bookmark over again. Crashes at another place of the log are forgotten: the log has moved on since.
     */
    public BookmarkState takenOver(TakeoverRequest request) {
        return new BookmarkState(epoch + 1, request.owner(), false, request.from(), crashesAt(request));
    }

    private int crashesAt(TakeoverRequest request) {
        if (owner.equals(request.owner())) {
            return from == request.from() ? crashes : 0;
        }
        if (released) {
            return 0;
        }
        return from == request.from() ? crashes + 1 : 1;
    }

    /** Returns the state after the owner left in good order. */
    public BookmarkState withRelease() {
        return new BookmarkState(epoch, owner, true, from, 0);
    }
}
