package io.redrive.operations;

import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Proposals: commands that an assistant or an operator asks for, and that a person approves or rejects. A proposal names its letters one
 * by one, so an approval works on the letters of the preview and never on more. Approving twice equals approving once, also from two
 * consoles. Thread-safe.
 *
 * <pre>{@code
 * Proposal asked = assistant.proposals().redrive(LetterSelection.ofIds(List.of(7L)), RedrivePlan.CANARY, "the bank is back");
 * Proposal done = person.proposals().approve(asked.number());
 * }</pre>
 *
 * <p>Methods about one proposal throw {@link ProposalRefusedException}, and change nothing, when the proposal does not exist or its state
 * does not allow the change.
 */
public interface ProposalOperations {

    /** The most letters of a proposal. */
    int MAX_LETTERS = 10_000;

    /** How long a proposal waits for a decision. */
    Duration KEPT_OPEN = Duration.ofDays(7);

    /** The most characters of the reason for a proposal or for a decision. */
    int MAX_REASON = 2_000;

    /**
     * Asks for a repair. The same proposal of the same operator, asked again while it is open, is the same proposal.
     *
     * @param why the reason, for the person who decides
     * @throws IllegalArgumentException when the expression changes no letter, there are more than {@link #MAX_LETTERS} letters, or {@link
     *     io.redrive.events.Proposals#MAX_OPEN} proposals are open
     */
    Proposal repair(LetterSelection letters, RepairExpression expression, String why);

    /**
     * Asks for a redrive. Letters that a redrive leaves out are no part of the proposal.
     *
     * @param why the reason, for the person who decides
     * @throws IllegalArgumentException when there are no letters or more than {@link #MAX_LETTERS}, or {@link
     *     io.redrive.events.Proposals#MAX_OPEN} proposals are open
     */
    Proposal redrive(LetterSelection letters, RedrivePlan plan, String why);

    /**
     * Asks to call a cause resolved.
     *
     * @param fixedIn the version of the service with the fix; empty when the fix is not in the service
     * @param why the reason, for the person who decides
     * @throws IllegalArgumentException when no cause has this fingerprint, or {@link io.redrive.events.Proposals#MAX_OPEN} proposals
     *     are open
     */
    Proposal resolve(String fingerprint, Optional<ServiceVersion> fixedIn, String why);

    /** Returns the proposal with this number. */
    Optional<Proposal> find(long number);

    /**
     * Returns proposals, the newest first.
     *
     * @param openOnly leaves out proposals that are not open
     * @param before start before this number; {@link Long#MAX_VALUE} for the first page
     * @param limit the most proposals to return, up to {@link io.redrive.events.Proposals#MAX_PAGE}
     */
    List<Proposal> list(boolean openOnly, long before, int limit);

    /**
     * Carries the proposed command out, in the name of this operator. The role must include the command itself. An approval that was
     * interrupted goes on when the proposal is approved again.
     *
     * @return the proposal: approved, or failed when the command was refused
     */
    Proposal approve(long number);

    /**
     * Refuses an open proposal.
     *
     * @param reason the reason, for the operator who asked
     */
    Proposal reject(long number, String reason);

    /**
     * Takes an open proposal back. Only the operator who asked, by name, may do so.
     *
     * @param reason the reason; may be empty
     */
    Proposal withdraw(long number, String reason);
}
