package io.redrive.events;

import java.time.Instant;
import java.util.Locale;

/** A change of a redrive operation by an operator. */
public enum RedriveChange {
    /** Begins to send the letters of a preview. */
    START,
    /** Sends no further letter until the operation is resumed. Events under way go on. */
    PAUSE,
    /** Goes on after a pause. */
    RESUME,
    /** Ends the operation. Letters that were not sent stay dead letters; redriven events stay redriven. */
    CANCEL,
    /** Removes an ended operation, or a preview, with its results. */
    DISMISS;

    /** Returns the change in the record of actions: {@code pause-redrive}; {@code redrive} for the start. */
    public String action() {
        return this == START ? "redrive" : name().toLowerCase(Locale.ROOT) + "-redrive";
    }

    /** Returns the command with the operation and its progress in words, for the record of actions. */
    public OperatorCommand recorded(RedriveOperation before, OperatorCommand command) {
        return command.about(
                "operation " + before.id() + ": " + before.command().about() + "; " + before.outcome());
    }

    /**
     * Returns the operation after this change. A change that was made already changes nothing.
     *
     * @throws RedriveRefusedException when the operation's state does not allow the change
     */
    public RedriveOperation apply(RedriveOperation operation, OperatorCommand by, Instant now) {
        RedriveState state = operation.state();
        switch (this) {
            case START -> {
                require(state instanceof RedriveState.Previewed || state.isActive(), operation, "preview anew");
                return state instanceof RedriveState.Previewed ? operation.startedBy(by, now) : operation;
            }
            case PAUSE -> {
                require(state.isActive(), operation, "only a running operation sends letters");
                return state instanceof RedriveState.Paused ? operation : operation.paused(now);
            }
            case RESUME -> {
                require(state.isActive(), operation, "redrive the remaining letters by a new operation");
                return state instanceof RedriveState.Running ? operation : operation.resumed(now);
            }
            case CANCEL -> {
                boolean over = state instanceof RedriveState.Halted || state instanceof RedriveState.Finished;
                require(!over, operation, "it sends no more letters");
                return state instanceof RedriveState.Cancelled
                        ? operation
                        : operation.ended(new RedriveState.Cancelled(), now);
            }
            default -> {
                require(!state.isActive(), operation, "cancel it first");
                return operation;
            }
        }
    }

    private void require(boolean allowed, RedriveOperation operation, String remedy) {
        if (!allowed) {
            throw new RedriveRefusedException(
                    operation.id(),
                    "operation " + operation.id() + " is " + operation.state().code() + " and cannot be " + past()
                            + "; " + remedy);
        }
    }

    private String past() {
        return switch (this) {
            case START -> "started";
            case PAUSE -> "paused";
            case RESUME -> "resumed";
            case CANCEL -> "cancelled";
            case DISMISS -> "dismissed";
        };
    }
}
