package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.cause.Cause;
import io.redrive.operations.CauseView;
import io.redrive.operations.FixState;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(name = "show", description = "Show a cause: its letters by day, what operators said, and the next step.")
final class CausesShow extends CauseCommand {

    private static final int DAYS_SHOWN = 14;

    CausesShow(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        CauseView view = known(operations.causes().find(fingerprint()));
        if (json()) {
            say(CauseText.json(view));
            return 0;
        }
        Instant now = context().time().now();
        Cause cause = view.cause();
        say(paint().bold("cause " + Printable.line(cause.fingerprint())) + "  " + CauseText.status(view, now));
        cause.mergedInto().ifPresent(into -> field("merged into", into));
        field("error", CauseText.error(cause));
        field("events", String.join(", ", cause.names()));
        field("letters", view.letters() + " now, " + cause.seen() + " seen in " + Cause.DAYS + " days");
        field("first seen", Printable.age(cause.firstSeen(), now) + ", last " + Printable.age(cause.lastSeen(), now));
        optional("owner", cause.care().owner());
        optional("ticket", cause.care().ticket());
        if (!cause.care().note().isEmpty()) {
            field("note", "");
            Printable.block(cause.care().note()).lines().forEach(line -> say("    " + line));
        }
        days(cause);
        next(operations.causes().fix(view), view);
        return 0;
    }

    private void optional(String name, String value) {
        if (!value.isEmpty()) {
            field(name, value);
        }
    }

    private void field(String name, String value) {
        say((paint().faint(String.format(Locale.ROOT, "  %-12s  ", name)) + Printable.line(value)).stripTrailing());
    }

    private void days(Cause cause) {
        var days = cause.perDay();
        if (days.isEmpty()) {
            return;
        }
        String last = days.entrySet().stream()
                .skip(Math.max(0, days.size() - DAYS_SHOWN))
                .map(day -> day.getKey() + " " + day.getValue())
                .collect(Collectors.joining(", "));
        field("per day", last);
    }

    private void next(FixState fix, CauseView view) {
        if (fix instanceof FixState.CanaryDue) {
            say(
                    "all nodes that handle these events have the fix; redrive the letters with: redrive dlq redrive --canary"
                            + " --fingerprint "
                            + Printable.shellWord(view.cause().fingerprint()) + onStore());
        } else if (fix instanceof FixState.NoNode) {
            say("no live node handles these events, so it is not known whether the fix is there");
        } else if (fix instanceof FixState.Pending pending) {
            say("not all nodes that handle these events have " + pending.fixedIn() + ": " + waiting(pending));
        } else if (view.letters() > 0) {
            say("look at the letters with: redrive dlq list --fingerprint "
                    + Printable.shellWord(view.cause().fingerprint()) + onStore());
        }
    }

    private static String waiting(FixState.Pending pending) {
        String older = pending.older().entrySet().stream()
                .map(node -> Printable.line(node.getKey()) + " has " + node.getValue())
                .collect(Collectors.joining(", "));
        String unknown = pending.unknown().stream()
                .map(node -> Printable.line(node) + " reports no version")
                .collect(Collectors.joining(", "));
        return older + (older.isEmpty() || unknown.isEmpty() ? "" : ", ") + unknown;
    }
}
