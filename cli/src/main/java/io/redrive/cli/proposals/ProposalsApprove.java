package io.redrive.cli.proposals;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.ProposalState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "approve",
        description = "Carry a proposed command out, in your name, on the letters of its preview and no others.",
        exitCodeList = {ExitCodes.DONE, "1:the command was refused, or failed", ExitCodes.WRONG})
final class ProposalsApprove extends OneProposalCommand {

    @Mixin
    private OperatorOption operator = new OperatorOption();

    ProposalsApprove(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    int run(ProposalOperations proposals, long number) {
        Proposal decided = proposals.approve(number);
        say(
                json()
                        ? ProposalText.json(decided)
                        : "proposal " + number + " is " + decided.state().code()
                                + decided.state()
                                        .decision()
                                        .map(decision -> ": " + Printable.line(decision.text()))
                                        .orElse(""));
        return decided.state() instanceof ProposalState.Approved ? 0 : 1;
    }
}
