package io.redrive.cli.proposals;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.LineDiff;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.ProposalPreview;
import java.time.Instant;
import java.util.Locale;
import picocli.CommandLine.Command;

@Command(name = "show", description = "Show a proposal: the command, the reason, the effect, some letters.")
final class ProposalsShow extends OneProposalCommand {

    ProposalsShow(Context context) {
        super(context);
    }

    @Override
    int run(ProposalOperations proposals, long number) {
        Proposal proposal = proposals
                .find(number)
                .orElseThrow(() -> new CommandFailed(
                        "no proposal has the number " + number + "; see: redrive proposals list --all" + onStore()));
        if (json()) {
            say(ProposalText.json(proposal));
            return 0;
        }
        Instant now = context().time().now();
        say(paint().bold("proposal " + proposal.number() + "  "
                + proposal.state().code()));
        field("command", proposal.command().describe());
        field("why", proposal.why());
        field(
                "asked",
                Printable.age(proposal.asked(), now) + " by "
                        + proposal.proposer().name());
        if (proposal.isOpen()) {
            field("expires", proposal.expires().toString());
        }
        proposal.state()
                .decision()
                .ifPresent(decision -> field(
                        "decided",
                        Printable.age(decision.at(), now) + " by " + decision.by() + ": " + decision.text()));
        field("letters", String.valueOf(proposal.preview().letters()));
        proposal.preview().effect().ifPresent(effect -> field("effect", effect.toString()));
        proposal.preview().remarks().forEach(remark -> field("remark", remark));
        proposal.preview().samples().forEach(this::show);
        if (proposal.isOpen()) {
            say("decide with: redrive proposals approve " + number + onStore() + ", or reject " + number
                    + " --reason TEXT");
        }
        return 0;
    }

    private void show(ProposalPreview.Sample sample) {
        say(paint().bold("letter " + sample.letter() + "  " + Printable.line(sample.name())) + "  "
                + Printable.line(sample.error()));
        if (sample.after().isEmpty()) {
            Printable.block(sample.before()).lines().forEach(line -> say("    " + line));
            return;
        }
        LineDiff.of(Printable.block(sample.before()), Printable.block(sample.after()))
                .forEach(line -> say("  " + line.sign().mark() + " " + line.text()));
    }

    private void field(String name, String value) {
        say(paint().faint(String.format(Locale.ROOT, "  %-10s  ", name)) + Printable.line(value));
    }
}
