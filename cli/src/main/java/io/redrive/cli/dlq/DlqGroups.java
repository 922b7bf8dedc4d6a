package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.ListOptions;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "groups", description = "Group dead letters by cause, the largest group first.")
final class DlqGroups extends LetterCommand {

    @Mixin
    private LetterOptions options = new LetterOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    DlqGroups(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        LetterFilter filter = options.filter(now);
        int limit = list.limitUpTo(DeadLetters.MAX_PAGE);
        List<LetterGroup> groups = operations.letters().groups(filter, limit);
        if (list.json()) {
            groups.forEach(group -> say(json(group)));
        } else if (groups.isEmpty()) {
            say("no dead letters");
        } else {
            say(GroupTable.of(groups, now));
            if (groups.size() == limit) {
                note("at most " + limit + " groups are shown; more with --limit");
            }
        }
        return 0;
    }

    private static JsonObject json(LetterGroup group) {
        return new JsonObject()
                .put("fingerprint", group.fingerprint())
                .put("count", group.count())
                .put("error_type", group.errorType())
                .put("example", group.example())
                .put("names", group.names())
                .put("first_dead", group.firstDead())
                .put("last_dead", group.lastDead());
    }
}
