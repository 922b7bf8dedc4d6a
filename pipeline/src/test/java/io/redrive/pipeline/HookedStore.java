package io.redrive.pipeline;

import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Settlement;
import io.redrive.testkit.ForwardingStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A real store with a hook around the calls that a pipeline makes all the time: to count, to watch, to fail before or after
 * the call took effect. An exchange is a {@code settle} when it has settlements, else a {@code claim}.
 */
class HookedStore extends ForwardingStore {

    /** Calls for operators and statistics bypass the hook: tests which count calls need not know these calls. */
    private static final Set<String> HOOKED = Set.of(
            "publish", "claim", "settle", "extend", "recover", "expire", "read notes", "write note", "erase note");

    final List<ClaimRequest> claims = new ArrayList<>();

    HookedStore(EventStore store) {
        super(store);
    }

    /** Runs {@code call}, skips the call, or throws after the call. */
    <T> T around(String name, Supplier<T> call) {
        return call.get();
    }

    @Override
    protected final <T> T forward(String name, Supplier<T> call) {
        return HOOKED.contains(name) ? around(name, call) : call.get();
    }

    @Override
    public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
        claims.addAll(requests);
        String name = settlements.isEmpty() ? "claim" : "settle";
        return around(name, () -> store().exchange(settlements, requests, now));
    }

    /** Two exchanges at once, the harder case, also on a store which allows only one exchange. */
    @Override
    public int exchangesAtOnce(int nodes) {
        return 2;
    }
}
