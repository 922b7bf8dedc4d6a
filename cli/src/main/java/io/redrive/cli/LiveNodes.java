package io.redrive.cli;

import io.redrive.core.Time;
import io.redrive.events.SharedNotes;
import io.redrive.pipeline.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Whether a pipeline works on the store: without one, what is redriven only waits. */
record LiveNodes(SharedNotes notes, Time time) {

    /** A little longer than a node's silence between two signs of life. */
    private static final Duration ONE_BEAT = Duration.ofSeconds(6);

    /** What to say when no node has given a sign of life of late; empty when one has. */
    Optional<String> absence() {
        Instant now = time.now();
        List<Member> members = Member.of(notes);
        if (members.stream().anyMatch(member -> member.isAlive(now))) {
            return Optional.empty();
        }
        String last = members.stream()
                .max(Comparator.comparing(Member::seen))
                .map(member -> "; the last one, " + Printable.line(member.node()) + ", was seen "
                        + Printable.age(member.seen(), now))
                .orElse("");
        return Optional.of("no node works on this store" + last + ": redriven events wait until a pipeline runs");
    }

    /** Refuses a canary when no node is alive. Clocks may differ, so a node that was seen gets the time for one more sign. */
    void require(Consumer<String> note) throws InterruptedException {
        Optional<String> absence = absence();
        if (absence.isEmpty()) {
            return;
        }
        Map<String, Instant> before = seen();
        if (!before.isEmpty()) {
            note.accept(absence.get() + "; looking once more for " + ONE_BEAT.toSeconds() + " s");
            time.sleep(ONE_BEAT);
            Map<String, Instant> after = seen();
            after.entrySet().removeAll(before.entrySet());
            if (!after.isEmpty()) {
                return;
            }
        }
        throw new CommandFailed("a canary needs a running pipeline, and " + absence.get()
                + "; nothing was redriven. Start the service, or redrive without --canary");
    }

    private Map<String, Instant> seen() {
        return Member.of(notes).stream().collect(Collectors.toMap(Member::node, Member::seen));
    }
}
