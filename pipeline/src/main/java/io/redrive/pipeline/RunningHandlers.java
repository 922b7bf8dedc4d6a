package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Knows which threads run a handler, and with which claims. Asks the workers, which note each call for their time limit: a second
 * note of each call would cost more than the rest of a quick call. Thread-safe.
 */
final class RunningHandlers {

    private final Workers workers;

    RunningHandlers(Workers workers) {
        this.workers = workers;
    }

    /** Returns true while {@code thread} runs a handler. */
    boolean isHandler(Thread thread) {
        return calls().anyMatch(call -> call.thread() == thread);
    }

    /**
     * Returns the claims whose handler ends the process: the handler's thread is inside {@code System.exit}, which
     * waits for the shutdown hooks and never returns. One of these hooks may be stopping the pipeline.
     */
    Set<Claim> endingTheProcess() {
        Set<Claim> ending = new HashSet<>();
        calls().filter(call -> isInsideExit(call.thread())).forEach(call -> ending.addAll(call.claims()));
        return ending;
    }

    private Stream<Worker.Call> calls() {
        return workers.slots().stream().flatMap(slots -> slots.calls().stream());
    }

    private static boolean isInsideExit(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Runtime.class.getName())
                        && (frame.getMethodName().equals("exit")
                                || frame.getMethodName().equals("halt")));
    }
}
