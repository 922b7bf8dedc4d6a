package io.redrive.cli;

import io.redrive.core.DurationText;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "stats",
        description = "Count the events of a store by state.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class StatsCommand extends StoreCommand {

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    StatsCommand(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        StoreStats stats = store.stats(context.time().now());
        if (json) {
            say(new Json.Obj()
                    .put("ready", stats.ready())
                    .put("delayed", stats.delayed())
                    .put("claimed", stats.claimed())
                    .put("dead", stats.dead())
                    .put("oldest_ready_ms", stats.oldestReady().toMillis()));
            return 0;
        }
        String oldest = stats.ready() == 0 ? "" : "the oldest for " + shown(stats.oldestReady());
        line("ready", stats.ready(), oldest);
        line("delayed", stats.delayed(), "scheduled, or waiting out a backoff");
        line("claimed", stats.claimed(), "being handled, or left by a process that died");
        line("dead", stats.dead(), stats.dead() == 0 ? "" : "see: redrive dlq groups --store " + shownStore());
        return 0;
    }

    private void line(String state, long count, String what) {
        say((String.format(Locale.ROOT, "%-8s %10d  ", state, count) + paint().faint(what)).stripTrailing());
    }

    private static String shown(Duration age) {
        return DurationText.format(Duration.ofMillis(age.toMillis()));
    }
}
