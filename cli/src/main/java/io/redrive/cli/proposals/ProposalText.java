package io.redrive.cli.proposals;

import io.redrive.cli.command.JsonObject;
import io.redrive.operations.Proposal;

/** Proposals as JSON. */
final class ProposalText {

    private ProposalText() {}

    static JsonObject json(Proposal proposal) {
        JsonObject json = new JsonObject()
                .put("number", proposal.number())
                .put("state", proposal.state().code())
                .put("verb", proposal.command().verb().code())
                .put("command", proposal.command().describe())
                .put("why", proposal.why())
                .put("proposer", proposal.proposer().name())
                .put("asked", proposal.asked())
                .put("expires", proposal.expires())
                .put("letters", proposal.preview().letters())
                .put("remarks", proposal.preview().remarks());
        proposal.state()
                .decision()
                .ifPresent(decision -> json.put("decided_by", decision.by())
                        .put("decided_at", decision.at())
                        .put("outcome", decision.text()));
        return json;
    }
}
