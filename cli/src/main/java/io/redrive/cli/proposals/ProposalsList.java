package io.redrive.cli.proposals;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.Proposals;
import io.redrive.operations.Operations;
import io.redrive.operations.Proposal;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List open proposals, the newest first.")
final class ProposalsList extends OperationsCommand {

    @Option(names = "--all", description = "Also proposals that are decided or expired.")
    private boolean all;

    @Mixin
    private ListOptions list = new ListOptions(20);

    ProposalsList(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        List<Proposal> found = operations.proposals().list(!all, Long.MAX_VALUE, list.limitUpTo(Proposals.MAX_PAGE));
        if (list.json()) {
            found.forEach(proposal -> say(ProposalText.json(proposal)));
        } else if (found.isEmpty()) {
            say(all ? "no proposals" : "no open proposals; --all lists decided ones");
        } else {
            say(table(found, context().time().now()));
        }
        return 0;
    }

    private static TextTable table(List<Proposal> found, Instant now) {
        TextTable table = new TextTable(
                Column.right("no."),
                Column.left("state"),
                Column.left("asked"),
                Column.elastic("by"),
                Column.elastic("command"),
                Column.elastic("why").droppable(1));
        found.forEach(proposal -> table.add(
                proposal.number(),
                proposal.state().code(),
                Printable.age(proposal.asked(), now),
                Printable.line(proposal.proposer().name()),
                Printable.line(proposal.command().describe()),
                Printable.line(proposal.why())));
        return table;
    }
}
