package io.redrive.cli.events;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.operations.LiveNodes;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.DeadLetters;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.Operations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "tail", description = "Show the events that finished last, and go on with --follow until Ctrl-C.")
final class EventsTail extends OperationsCommand {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** Nodes write with clocks and transactions of their own, so a look goes back further than the last one. */
    private static final Duration OVERLAP = Duration.ofSeconds(10);

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with events as they finish, until Ctrl-C.")
    private boolean follow;

    @Option(names = "--name", paramLabel = "NAME", description = "Only events of this name.")
    private @Nullable String name;

    @Mixin
    private ListOptions list = new ListOptions(20);

    EventsTail(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) throws InterruptedException {
        int limit = list.limitUpTo(DeadLetters.MAX_PAGE);
        if (operations.finder().rememberedSince().isEmpty()) {
            note(FoundText.reach(operations.finder(), context().time().now()));
        }
        new LiveNodes(operations, context().time())
                .absence()
                .ifPresent(absence -> note(absence.replaceFirst(": redriven.*", ": no event finishes meanwhile")));
        List<FinishedEvent> last = new ArrayList<>(
                name == null
                        ? operations.finder().latest(Instant.EPOCH, limit)
                        : operations.finder().latest(name.strip(), limit));
        Collections.reverse(last);
        last.forEach(this::line);
        Set<FinishedEvent> shown = new HashSet<>(last);
        while (follow) {
            context().time().sleep(LOOK_EVERY);
            Instant from = context().time().now().minus(OVERLAP);
            List<FinishedEvent> next =
                    new ArrayList<>(wanted(operations.finder().latest(from, DeadLetters.MAX_PAGE)));
            Collections.reverse(next);
            next.stream().filter(event -> !shown.contains(event)).forEach(this::line);
            shown.addAll(next);
            shown.removeIf(event -> event.finished().isBefore(from));
        }
        return 0;
    }

    private List<FinishedEvent> wanted(List<FinishedEvent> events) {
        return events.stream()
                .filter(event -> name == null || event.name().equals(name.strip()))
                .toList();
    }

    private void line(FinishedEvent event) {
        if (list.json()) {
            say(FoundText.json(new FoundEvent.Finished(event)));
            return;
        }
        say(event.finished() + "  " + Printable.line(event.name()) + "  " + Printable.line(event.id()) + "  "
                + Printable.line(FoundText.finished(event, context().time().now())));
    }
}
