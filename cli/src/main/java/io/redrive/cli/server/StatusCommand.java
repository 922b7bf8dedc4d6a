package io.redrive.cli.server;

import io.redrive.cli.activity.ActivityText;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.remote.RemoteOperations;
import io.redrive.cli.remote.ServerStatus;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.SetAside;
import io.redrive.events.StoreStats;
import io.redrive.operations.Operations;
import io.redrive.pipeline.StoreAlert;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code redrive status}: whether a server or a store needs its operator. */
@Command(
        name = "status",
        description = {
            "Tell in a few lines how a server or a store stands, and what needs you.",
            "For scripts: the exit code is 0 only when nothing does."
        },
        exitCodeList = {ExitCodes.DONE, ExitCodes.FAILED, ExitCodes.WRONG, "3:something needs you"})
public final class StatusCommand extends OperationsCommand {

    private static final int NEEDED = 3;
    private static final int MAX_NAMES = 100;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    /** Creates the command. */
    public StatusCommand(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Optional<ServerStatus> server =
                operations instanceof RemoteOperations remote ? Optional.of(remote.status()) : Optional.empty();
        StoreStats stats = operations.events().stats();
        List<StoreAlert> raised = operations.activity().alerts().stream()
                .filter(StoreAlert::raised)
                .toList();
        Instant now = context().time().now();
        long alive =
                operations.nodes().stream().filter(node -> node.isAlive(now)).count();
        int pauses = operations.pauses().list().size();
        List<String> needs = needs(operations, server, stats, raised, alive);
        if (json) {
            say(json(server, stats, raised, needs).put("nodes_alive", alive).put("pauses", pauses));
        } else {
            server.ifPresent(status -> line("server", "version " + Printable.line(status.version())));
            line(
                    "events",
                    stats.ready() + " ready, " + stats.delayed() + " delayed, " + stats.claimed() + " claimed, "
                            + stats.dead() + " dead");
            line("nodes", alive + " alive" + (pauses == 0 ? "" : ", " + pauses + " names paused"));
            if (needs.isEmpty()) {
                line("well", "nothing needs you");
            }
            needs.forEach(need -> line("needs you", need));
        }
        return needs.isEmpty() ? 0 : NEEDED;
    }

    private List<String> needs(
            Operations operations,
            Optional<ServerStatus> server,
            StoreStats stats,
            List<StoreAlert> raised,
            long alive) {
        List<String> needs = new ArrayList<>();
        server.flatMap(ServerStatus::refusal)
                .ifPresent(refusal -> needs.add("the changed configuration is refused: " + Printable.line(refusal)));
        raised.forEach(alert -> needs.add("alert " + ActivityText.alert(alert) + "; see: redrive "
                + (alert.kind().code().contains("dead") || alert.kind().code().contains("cause")
                        ? "causes list"
                        : "activity")
                + onStore()));
        if (alive == 0 && stats.ready() + stats.delayed() > 0) {
            needs.add("events wait, and no node works on the store; see: redrive stats" + onStore());
        }
        for (SetAside aside :
                alive == 0 ? List.<SetAside>of() : operations.events().unhandled(MAX_NAMES)) {
            needs.add("no live node handles " + Printable.line(aside.name()));
        }
        return needs;
    }

    private static JsonObject json(
            Optional<ServerStatus> server, StoreStats stats, List<StoreAlert> raised, List<String> needs) {
        JsonObject json = new JsonObject().put("well", needs.isEmpty());
        server.ifPresent(status -> json.put("version", status.version()));
        return json.put("ready", stats.ready())
                .put("delayed", stats.delayed())
                .put("claimed", stats.claimed())
                .put("dead", stats.dead())
                .put("alerts", raised.stream().map(alert -> alert.kind().code()).toList())
                .put("needs", needs);
    }

    private void line(String name, String text) {
        say(paint().faint(String.format(Locale.ROOT, "%-10s ", name)) + text);
    }
}
