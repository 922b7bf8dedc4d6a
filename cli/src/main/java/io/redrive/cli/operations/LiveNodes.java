package io.redrive.cli.operations;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.terminal.Printable;
import io.redrive.core.Time;
import io.redrive.operations.Operations;
import io.redrive.pipeline.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Finds out whether a node works on the store: without one, redriven events only wait. */
public record LiveNodes(Operations operations, Time time) {

    /** A little longer than the time between two heartbeats of a node. */
    private static final Duration ONE_HEARTBEAT = Duration.ofSeconds(6);

    /** Returns the message that no node works on the store; empty when the heartbeat of a node is fresh. */
    public Optional<String> absence() {
        Instant now = time.now();
        List<Member> members = operations.nodes();
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

    /**
     * Refuses a canary when no node is alive. Clocks of machines may differ, so a node that was seen before gets the time for
     * one more heartbeat.
     *
     * @throws CommandFailed when no node is alive
     */
    public void require(Consumer<String> note) throws InterruptedException {
        Optional<String> absence = absence();
        if (absence.isEmpty()) {
            return;
        }
        Map<String, Instant> before = seen();
        if (!before.isEmpty()) {
            note.accept(absence.get() + "; looking once more for " + ONE_HEARTBEAT.toSeconds() + " s");
            time.sleep(ONE_HEARTBEAT);
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
        return operations.nodes().stream().collect(Collectors.toMap(Member::node, Member::seen));
    }
}
