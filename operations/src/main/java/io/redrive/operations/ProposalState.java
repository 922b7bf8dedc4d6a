package io.redrive.operations;

import java.time.Instant;
import java.util.Optional;

/** How far a proposal has come. Only an open proposal can be approved, rejected or withdrawn. */
public sealed interface ProposalState {

    /** Returns the name of the state: open, approved, rejected, withdrawn, expired or failed. */
    String code();

    /** Returns who decided, when, and the outcome or reason; empty for a proposal that nobody decided. */
    Optional<Decision> decision();

    /**
     * The end of a proposal.
     *
     * @param by the operator who decided
     * @param origin the program, host and account that the decision came from
     * @param at when
     * @param text the outcome of the command, or the reason; empty while a command is being carried out
     */
    record Decision(String by, String origin, Instant at, String text) {}

    /** Waits for a decision. */
    record Open() implements ProposalState {

        @Override
        public String code() {
            return "open";
        }

        @Override
        public Optional<Decision> decision() {
            return Optional.empty();
        }
    }

    /** The command was carried out, or is being carried out while the decision has no outcome. */
    record Approved(Decision made) implements ProposalState {

        @Override
        public String code() {
            return "approved";
        }

        @Override
        public Optional<Decision> decision() {
            return Optional.of(made);
        }
    }

    /** A person refused the proposal. */
    record Rejected(Decision made) implements ProposalState {

        @Override
        public String code() {
            return "rejected";
        }

        @Override
        public Optional<Decision> decision() {
            return Optional.of(made);
        }
    }

    /** The operator who asked took the proposal back. */
    record Withdrawn(Decision made) implements ProposalState {

        @Override
        public String code() {
            return "withdrawn";
        }

        @Override
        public Optional<Decision> decision() {
            return Optional.of(made);
        }
    }

    /** The proposal was approved, and the command was refused. */
    record Failed(Decision made) implements ProposalState {

        @Override
        public String code() {
            return "failed";
        }

        @Override
        public Optional<Decision> decision() {
            return Optional.of(made);
        }
    }

    /** Nobody decided in time. */
    record Expired() implements ProposalState {

        @Override
        public String code() {
            return "expired";
        }

        @Override
        public Optional<Decision> decision() {
            return Optional.empty();
        }
    }

    /**
     * Returns the state with this code.
     *
     * @param decision the decision of a state that has one
     * @throws IllegalArgumentException when no state has this code
     */
    static ProposalState of(String code, Decision decision) {
        return switch (code) {
            case "open" -> new Open();
            case "approved" -> new Approved(decision);
            case "rejected" -> new Rejected(decision);
            case "withdrawn" -> new Withdrawn(decision);
            case "failed" -> new Failed(decision);
            case "expired" -> new Expired();
            default -> throw new IllegalArgumentException("no proposal has the state '" + code + "'");
        };
    }
}
