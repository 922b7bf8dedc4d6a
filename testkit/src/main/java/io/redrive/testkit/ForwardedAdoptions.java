package io.redrive.testkit;

import io.redrive.events.Adoption;
import io.redrive.events.AdoptionResult;
import io.redrive.events.Adoptions;
import io.redrive.events.Bookmark;
import io.redrive.events.BookmarkedAdoptions;
import io.redrive.events.Takeover;
import io.redrive.events.TakeoverRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Passes each call on to the adoptions of a store through a function. */
record ForwardedAdoptions(Adoptions target, ForwardedCall through) implements Adoptions {

    @Override
    public Takeover takeOver(TakeoverRequest request, Instant now) {
        return through.forward("take over", () -> target.takeOver(request, now));
    }

    @Override
    public AdoptionResult adopt(Bookmark bookmark, Collection<Adoption> adoptions, Instant now) {
        return through.forward("adopt", () -> target.adopt(bookmark, adoptions, now));
    }

    @Override
    public List<AdoptionResult> adoptAll(List<BookmarkedAdoptions> all, Instant now) {
        return through.forward("adopt", () -> target.adoptAll(all, now));
    }

    @Override
    public Set<String> waiting(Collection<String> orderingKeys) {
        return through.forward("waiting keys", () -> target.waiting(orderingKeys));
    }

    @Override
    public boolean release(Bookmark bookmark) {
        return through.forward("release bookmark", () -> target.release(bookmark));
    }

    @Override
    public int prune(Bookmark bookmark, long below, Duration age, Instant now) {
        return through.forward("prune", () -> target.prune(bookmark, below, age, now));
    }

    @Override
    public boolean isShared() {
        return target.isShared();
    }
}
