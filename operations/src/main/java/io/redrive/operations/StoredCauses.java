package io.redrive.operations;

import io.redrive.events.Causes;
import io.redrive.events.LetterFilter;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Stance;
import io.redrive.pipeline.Member;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/** {@link CauseOperations} on a store. */
final class StoredCauses implements CauseOperations {

    private static final int MOVED_AT_ONCE = 1_000;
    private final Desk desk;

    StoredCauses(Desk desk) {
        this.desk = desk;
    }

    @Override
    public List<CauseView> latest(CausePlace after, int limit) {
        return views(desk.read().deadLetters().causes().latest(after, limit));
    }

    @Override
    public CauseList list(CauseFilter filter, CausePlace after, int limit) {
        Causes causes = desk.read().deadLetters().causes();
        CauseListing listing = new CauseListing(filter, limit, desk.now());
        if (filter.isTended()) {
            listing.addSorted(causes.decided(), causes.assigned(), after);
        } else {
            listing.addPages(causes, after);
        }
        return new CauseList(views(listing.found()), listing.next());
    }

    private List<CauseView> views(List<Cause> causes) {
        Map<String, Long> counts = desk.store()
                .deadLetters()
                .countByCause(causes.stream().map(Cause::fingerprint).toList());
        return causes.stream()
                .map(cause -> view(cause, counts.getOrDefault(cause.fingerprint(), 0L)))
                .toList();
    }

    @Override
    public Optional<CauseView> find(String fingerprint) {
        return desk.read().deadLetters().causes().find(fingerprint).map(this::view);
    }

    @Override
    public Optional<CauseDifferences> differences(String fingerprint) {
        return find(fingerprint).map(DifferenceFinder.at(desk)::ofCause);
    }

    private CauseView view(Cause cause) {
        return view(cause, desk.store().deadLetters().count(LetterFilter.ALL.withFingerprint(cause.fingerprint())));
    }

    private CauseView view(Cause cause, long letters) {
        return new CauseView(desk.shown().cause(cause), cause.status(desk.now()), letters);
    }

    @Override
    public FixState fix(CauseView view) {
        desk.read();
        if (view.status() != CauseStatus.RESOLVED || view.letters() == 0) {
            return new FixState.NotApplicable();
        }
        Instant now = desk.now();
        List<Member> handling = Member.of(desk.store().notes()).stream()
                .filter(node -> node.isAlive(now))
                .filter(node -> view.cause().names().stream().anyMatch(name -> handles(node, name)))
                .toList();
        if (handling.isEmpty()) {
            return new FixState.NoNode(List.copyOf(view.cause().names()));
        }
        Stance.Resolved resolved = (Stance.Resolved) view.cause().care().stance();
        return resolved.fixedIn().map(fixedIn -> compared(fixedIn, handling)).orElseGet(FixState.CanaryDue::new);
    }

    private static FixState compared(ServiceVersion fixedIn, List<Member> handling) {
        SortedMap<String, ServiceVersion> older = new TreeMap<>();
        SortedSet<String> unknown = new TreeSet<>();
        for (Member node : handling) {
            if (node.version().isEmpty()) {
                unknown.add(node.node());
            } else if (!node.version().get().isAtLeast(fixedIn)) {
                older.put(node.node(), node.version().get());
            }
        }
        return older.isEmpty() && unknown.isEmpty()
                ? new FixState.CanaryDue()
                : new FixState.Pending(fixedIn, older, unknown);
    }

    private static boolean handles(Member node, String name) {
        return node.handles().stream().anyMatch(pattern -> pattern.matches(name));
    }

    @Override
    public Optional<CauseView> assign(String fingerprint, String owner) {
        return change(Verb.ASSIGN, fingerprint, new CauseChange.Assign(owner));
    }

    @Override
    public Optional<CauseView> note(String fingerprint, String text) {
        return change(Verb.NOTE, fingerprint, new CauseChange.Annotate(text));
    }

    @Override
    public Optional<CauseView> ticket(String fingerprint, String link) {
        return change(Verb.NOTE, fingerprint, new CauseChange.LinkTicket(link));
    }

    @Override
    public Optional<CauseView> resolve(String fingerprint, Optional<ServiceVersion> fixedIn) {
        return change(Verb.RESOLVE, fingerprint, new CauseChange.Resolve(fixedIn));
    }

    @Override
    public Optional<CauseView> ignore(String fingerprint, Optional<Instant> until, OptionalLong letters) {
        return change(Verb.IGNORE, fingerprint, new CauseChange.Ignore(until, letters));
    }

    @Override
    public Optional<CauseView> reopen(String fingerprint) {
        return change(Verb.REOPEN, fingerprint, new CauseChange.Reopen());
    }

    private Optional<CauseView> change(Verb verb, String fingerprint, CauseChange change) {
        return desk.permitted(verb)
                .deadLetters()
                .causes()
                .change(fingerprint, change, desk.command(verb, ""), desk.now())
                .map(this::view);
    }

    @Override
    public long merge(String from, String into, LongConsumer progress) {
        var command = desk.command(Verb.MERGE, "");
        Causes causes = desk.store().deadLetters().causes();
        long moved = 0;
        for (int step = causes.merge(from, into, MOVED_AT_ONCE, command, desk.now());
                step > 0;
                step = causes.merge(from, into, MOVED_AT_ONCE, command, desk.now())) {
            moved += step;
            progress.accept(moved);
        }
        return moved;
    }
}
