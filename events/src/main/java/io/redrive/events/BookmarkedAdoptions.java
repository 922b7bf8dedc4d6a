package io.redrive.events;

import java.util.List;

/**
 * The adoptions under one bookmark.
 *
 * @param bookmark the bookmark, with the epoch of the caller
 * @param adoptions the records that go to the store
 */
public record BookmarkedAdoptions(Bookmark bookmark, List<Adoption> adoptions) {

    /** Copies the adoptions. */
    public BookmarkedAdoptions {
        adoptions = List.copyOf(adoptions);
    }
}
