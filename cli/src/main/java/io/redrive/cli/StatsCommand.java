package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.core.DurationText;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.operations.Operations;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "stats", description = "Count the events of a store by state, and list the nodes that work on it.")
final class StatsCommand extends OperationsCommand {

    private static final int MAX_NAMES = 100;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    StatsCommand(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        StoreStats stats = operations.events().stats();
        List<Member> nodes = operations.nodes();
        List<NamePause> pauses = operations.pauses().list();
        List<SetAside> unhandled = operations.events().unhandled(MAX_NAMES);
        if (json) {
            say(json(stats, unhandled, nodes, now)
                    .put("pauses", pauses.stream().map(PauseText::json).toList()));
        } else {
            show(stats, unhandled);
            showPauses(pauses, now);
            show(nodes, now);
        }
        return 0;
    }

    private void show(StoreStats stats, List<SetAside> unhandled) {
        StoreStats.Waiting waiting = stats.waiting();
        line("ready", stats.ready(), stats.ready() == 0 ? "" : "the oldest for " + shown(stats.oldestReady()));
        part("in line", waiting.behindKey(), "behind an earlier event of their ordering key");
        part("aside", waiting.setAside(), "no handler on the nodes that have looked");
        unhandled.forEach(aside -> say("    " + Printable.line(aside.name()) + "  "
                + paint().faint("no handler on any live node, the oldest for " + shown(aside.waited()))));
        line(
                "delayed",
                stats.delayed(),
                "scheduled, or waiting out a backoff" + (waiting.forToken() > 0 ? ", or:" : ""));
        part("no token", waiting.forToken(), "their retry budget is empty");
        if (waiting.paused() > 0) {
            line("paused", waiting.paused(), "of the ready and delayed events: their name is paused");
        }
        line("claimed", stats.claimed(), "being handled, or left by a process that died");
        line("dead", stats.dead(), stats.dead() == 0 ? "" : "see: redrive dlq groups" + onStore());
    }

    private void showPauses(List<NamePause> pauses, Instant now) {
        if (!pauses.isEmpty()) {
            line("pauses", pauses.size(), "");
            pauses.forEach(pause -> say(
                    "  " + Printable.line(pause.pattern().text()) + "  " + paint().faint(PauseText.line(pause, now))));
        }
    }

    private void show(List<Member> nodes, Instant now) {
        line("nodes", nodes.stream().filter(node -> node.isAlive(now)).count(), "");
        nodes.forEach(node -> say("  " + Printable.line(node.node()) + "  " + paint().faint(text(node, now))));
    }

    private static JsonObject json(StoreStats stats, List<SetAside> unhandled, List<Member> nodes, Instant now) {
        return new JsonObject()
                .put("ready", stats.ready())
                .put("delayed", stats.delayed())
                .put("claimed", stats.claimed())
                .put("dead", stats.dead())
                .put("oldest_ready_ms", stats.oldestReady().toMillis())
                .put("behind_key", stats.waiting().behindKey())
                .put("set_aside", stats.waiting().setAside())
                .put("paused", stats.waiting().paused())
                .put("without_token", stats.waiting().forToken())
                .put("unhandled", unhandled.stream().map(StatsCommand::json).toList())
                .put("nodes", nodes.stream().map(node -> json(node, now)).toList());
    }

    /** Prints a line for a part of the events in the line above; nothing when the part is empty. */
    private void part(String name, long count, String what) {
        if (count > 0) {
            line("  " + name, count, what);
        }
    }

    private static JsonObject json(SetAside aside) {
        return new JsonObject()
                .put("name", aside.name())
                .put("waited_ms", aside.waited().toMillis());
    }

    private static JsonObject json(Member node, Instant now) {
        return new JsonObject()
                .put("node", node.node())
                .put("service", node.service())
                .put("started", node.started().toString())
                .put("seen", node.seen().toString())
                .put("alive", node.isAlive(now));
    }

    private static String text(Member node, Instant now) {
        String service = Printable.line(node.service());
        return node.isAlive(now)
                ? service + ", for " + Printable.roughly(Duration.between(node.started(), now))
                : service + ", not seen for " + Printable.roughly(Duration.between(node.seen(), now))
                        + ": it died, or has no connection";
    }

    private void line(String state, long count, String what) {
        say((String.format(Locale.ROOT, "%-10s %8d  ", state, count) + paint().faint(what)).stripTrailing());
    }

    private static String shown(Duration age) {
        return DurationText.format(Duration.ofMillis(age.toMillis()));
    }
}
