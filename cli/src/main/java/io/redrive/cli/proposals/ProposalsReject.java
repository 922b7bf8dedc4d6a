package io.redrive.cli.proposals;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperatorOption;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "reject", description = "Refuse an open proposal.")
final class ProposalsReject extends OneProposalCommand {

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for the one who asked.")
    private String reason = "";

    @Mixin
    private OperatorOption operator = new OperatorOption();

    ProposalsReject(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    int run(ProposalOperations proposals, long number) {
        Proposal decided = proposals.reject(number, reason);
        say(
                json()
                        ? ProposalText.json(decided)
                        : "proposal " + number + " is " + decided.state().code());
        return 0;
    }
}
