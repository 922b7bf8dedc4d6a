package io.redrive.cli.operations;

import io.redrive.cli.command.ConsoleCommand;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.cli.terminal.StopHook;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveState;
import io.redrive.operations.Operations;
import java.time.Duration;
import java.util.TreeSet;

/**
 * Follows a redrive operation until it has ended, and tells the end. A canary is followed until its last event has ended, any
 * other operation until its last letter was sent. Ctrl-C stops following; the operation goes on.
 */
public final class FollowedRedrive {

    /** Exit code of an operation that halted or was cancelled, as the help shows it. */
    public static final String HALTED_TEXT =
            "3:a canary halted: a cause returned, or events of a stage did not end; or the operation was cancelled";
    /** Exit code after Ctrl-C, as the help shows it. */
    public static final String STOPPED_TEXT = "130:Ctrl-C; the operation goes on";

    private static final int HALTED = 3;
    private static final int STOPPED = 130;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final ConsoleCommand command;
    private final Operations operations;
    private final ProgressLine line;
    private final boolean json;
    private final String onStore;
    private volatile boolean stopping;

    /**
     * Prepares to follow.
     *
     * @param json true for one JSON object at the end, without progress
     * @param onStore the option that makes a suggested command use the same store
     */
    public FollowedRedrive(
            ConsoleCommand command, Operations operations, ProgressLine line, boolean json, String onStore) {
        this.command = command;
        this.operations = operations;
        this.line = line;
        this.json = json;
        this.onStore = onStore;
    }

    /** Follows the operation and returns the exit code. */
    public int follow(RedriveOperation operation) throws InterruptedException {
        try (StopHook hook = new StopHook(() -> stopping = true, STOP_LIMIT)) {
            RedriveOperation last = operations
                    .redrives()
                    .follow(operation.id(), this::isOver, this::progress)
                    .orElse(operation);
            line.end();
            return report(last);
        }
    }

    /** Tells that an operation has no letters, and returns the exit code. */
    public int tellNothing(RedriveOperation empty) {
        return report(empty);
    }

    /** Tells an operation that is not followed, and returns the exit code. */
    public int tellStart(RedriveOperation started) {
        if (json) {
            command.say(OperationText.json(started));
        } else {
            tellStop(started);
        }
        return 0;
    }

    private boolean isOver(RedriveOperation operation) {
        boolean sent = !operation.plan().isCanary() && operation.counts().pending() == 0;
        return stopping || sent || operation.state().isEnded();
    }

    private void progress(RedriveOperation operation) {
        if (json) {
            return;
        }
        String paused = operation.state() instanceof RedriveState.Paused ? "paused; " : "";
        boolean waiting = operation.plan().isCanary() && operation.counts().underWay() > 0;
        line.show(paused + operation.counts().redriven() + " of "
                + operation.counts().selected() + " redriven"
                + (waiting ? "; waiting for a pipeline to handle them" : ""));
    }

    private int report(RedriveOperation operation) {
        boolean sent = operation.counts().pending() == 0 && !operation.plan().isCanary();
        boolean empty = operation.counts().selected() == 0;
        boolean finished = sent || empty || operation.state() instanceof RedriveState.Finished;
        if (json) {
            String result = finished
                    ? "finished"
                    : operation.state().isEnded() ? operation.state().code() : "stopped";
            JsonObject object = OperationText.json(operation).put("result", result);
            command.say(object);
        } else if (operation.state() instanceof RedriveState.Halted halted) {
            tellHalt(operation, halted);
        } else if (finished) {
            command.say(OperationText.letters(operation.counts().redriven()) + " redriven");
        } else if (operation.state().isEnded()) {
            command.say(command.paint()
                            .red("cancelled after "
                                    + OperationText.letters(operation.counts().redriven()))
                    + " of " + operation.counts().selected() + "; the others are still dead letters");
        } else {
            tellStop(operation);
        }
        boolean ended = operation.state().isEnded();
        return finished ? 0 : ended ? HALTED : STOPPED;
    }

    private void tellHalt(RedriveOperation operation, RedriveState.Halted halted) {
        command.say(command.paint()
                        .red("halted after "
                                + OperationText.letters(operation.counts().redriven()))
                + ": " + halted.why());
        new TreeSet<>(halted.fingerprints())
                .forEach(cause -> command.say("  cause " + Printable.line(cause)
                        + ", look at it with: redrive dlq list --fingerprint " + Printable.line(cause) + onStore));
    }

    private void tellStop(RedriveOperation operation) {
        boolean alone =
                new LiveNodes(operations, command.context().time()).absence().isPresent();
        String id = operation.id();
        command.say("operation " + id + (alone ? " waits" : " goes on") + ": " + OperationText.progress(operation));
        if (alone) {
            command.say("  it goes on when a node runs, or with: redrive operations resume " + id + onStore);
        }
        command.say("  to look at it: redrive operations show " + id + onStore);
        command.say("  to stop it:    redrive operations cancel " + id + onStore);
    }
}
