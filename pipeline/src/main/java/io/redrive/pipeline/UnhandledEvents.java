package io.redrive.pipeline;

import io.redrive.core.DurationText;
import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.SetAside;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Watches events for which no live node has a handler. Such events wait. Events of a paused name are left alone: an operator may
 * have paused the name to replace the nodes that handle it. This chore warns once for each name, reports
 * the age of the oldest event to {@link WatchedValues}, and makes dead letters only where a policy sets a limit. Every
 * node has this chore; when two nodes settle the same event, the store accepts one settlement.
 */
final class UnhandledEvents implements Chore {

    /** A node that starts with the handler may not have announced itself before this time. */
    static final Duration WARN_AFTER = Duration.ofSeconds(3);
    /** No event dies this soon after a restart of all nodes. */
    static final Duration BURY_AFTER = Duration.ofMinutes(1);

    private static final Duration EVERY = Duration.ofSeconds(1);
    /** A node without handlers claims nothing, so the store may not have set such events aside yet. */
    private static final Duration SWEEP_AFTER = Duration.ofSeconds(10);

    private static final int BURIED_AT_ONCE = 100;
    private static final int NAMES_SHOWN = 10;

    private final EventStore store;
    private final Members members;
    private final Admission admission;
    private final Settler settler;
    private final EventLint lint;
    private final WatchedValues watched;
    private final Announcer announcer;
    private final Map<String, Instant> since = new HashMap<>();
    private Instant next = Instant.MIN;

    UnhandledEvents(
            EventStore store,
            Members members,
            Admission admission,
            Settler settler,
            EventLint lint,
            WatchedValues watched,
            Announcer announcer) {
        this.store = store;
        this.members = members;
        this.admission = admission;
        this.settler = settler;
        this.lint = lint;
        this.watched = watched;
        this.announcer = announcer;
    }

    @Override
    public boolean work(Instant now) {
        Optional<Set<NamePattern>> handled = members.handled();
        if (handled.isEmpty() || !Chore.isDue(next, now, EVERY)) {
            return false;
        }
        next = now.plus(EVERY);
        if (handled.get().isEmpty()) {
            exchange(ClaimFilter.of(Set.of()).waitedFor(SWEEP_AFTER), now);
        }
        ClaimFilter cared = ClaimFilter.of(handled.get());
        ClaimFilter paused = ClaimFilter.of(admission.excluded(now));
        List<SetAside> orphans = store.setAside(SetAside.MAX_NAMES, now).stream()
                .filter(aside -> !cared.accepts(aside.name()) && !paused.accepts(aside.name()))
                .toList();
        since.keySet().retainAll(orphans.stream().map(SetAside::name).collect(Collectors.toSet()));
        watched.unhandledFor(
                orphans.stream().map(SetAside::waited).max(Duration::compareTo).orElse(Duration.ZERO));
        for (SetAside orphan : orphans) {
            look(orphan, missing(orphan.name(), handled.get()), now);
        }
        return false;
    }

    private void look(SetAside orphan, String missing, Instant now) {
        Duration seen = Duration.between(since.computeIfAbsent(orphan.name(), unused -> now), now);
        if (seen.compareTo(WARN_AFTER) >= 0) {
            lint.unhandled(
                    orphan.name(),
                    missing + "; its events wait. Register one with on(\"" + orphan.name() + "\", …), or set"
                            + " unhandled-after for the name to make dead letters of them",
                    now);
        }
        Optional<Duration> limit = settler.policies().unhandledAfter(orphan.name());
        if (seen.compareTo(BURY_AFTER) >= 0
                && limit.filter(longest -> orphan.waited().compareTo(longest) >= 0)
                        .isPresent()) {
            bury(orphan.name(), limit.get(), missing, now);
        }
    }

    private void bury(String name, Duration limit, String missing, Instant now) {
        ClaimFilter only = ClaimFilter.of(Set.of(new NamePattern(name))).waitedFor(limit);
        String message = missing + " within " + DurationText.format(limit) + " (unhandled-after); redrive it once a"
                + " handler is deployed";
        Verdict.Reject reject = new Verdict.Reject(Reason.TTL_EXCEEDED, message);
        List<Settlement.Dead> dead = new ArrayList<>();
        exchange(only, now).forEach(claim -> dead.add(settler.rejected(claim, reject, now)));
        List<Claim> stale = dead.isEmpty() ? List.of() : store.settle(List.copyOf(dead), now);
        for (Settlement.Dead letter : dead) {
            if (!stale.contains(letter.claim())) {
                announcer.dead(letter, now);
            }
        }
    }

    private List<Claim> exchange(ClaimFilter filter, Instant now) {
        List<ClaimRequest> requests = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            requests.add(new ClaimRequest(
                    members.holder(), lane, BURIED_AT_ONCE, false, Profile.STANDARD.lease(), now, filter));
        }
        return store.exchange(List.of(), requests, now).claims();
    }

    private static String missing(String name, Set<NamePattern> handled) {
        List<String> patterns = handled.stream().map(NamePattern::text).sorted().toList();
        String shown = patterns.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
        int more = patterns.size() - NAMES_SHOWN;
        return "no handler for event '" + name + "' on any live node (registered: "
                + (patterns.isEmpty() ? "none" : more > 0 ? shown + " and " + more + " more" : shown) + ")";
    }
}
