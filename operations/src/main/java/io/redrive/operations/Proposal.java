package io.redrive.operations;

import java.time.Instant;

/**
 * A command that waits, or waited, for the decision of a person.
 *
 * @param number names the proposal
 * @param command the command
 * @param why the reason that the proposer gave
 * @param proposer the operator who asked
 * @param asked when
 * @param expires until when the proposal may be approved
 * @param preview the effect at the time of asking
 * @param state how far the proposal has come
 */
public record Proposal(
        long number,
        ProposedCommand command,
        String why,
        Operator proposer,
        Instant asked,
        Instant expires,
        ProposalPreview preview,
        ProposalState state) {

    /** Returns true while the proposal waits for a decision. */
    public boolean isOpen() {
        return state instanceof ProposalState.Open;
    }

    /** Returns the proposal in a state; a decided proposal keeps no payloads. */
    Proposal in(ProposalState next) {
        return new Proposal(
                number,
                command,
                why,
                proposer,
                asked,
                expires,
                next instanceof ProposalState.Open ? preview : preview.withoutSamples(),
                next);
    }

    /** Returns an open proposal as it is seen at a time. */
    Proposal at(Instant now) {
        return isOpen() && !now.isBefore(expires) ? in(new ProposalState.Expired()) : this;
    }
}
