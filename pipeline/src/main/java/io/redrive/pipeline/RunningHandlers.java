package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** Knows which threads run a handler, and with which claims. Thread-safe. */
final class RunningHandlers implements AttemptInterceptor {

    private final Map<Thread, List<Claim>> byThread = new ConcurrentHashMap<>();

    @Override
    public Outcome attempt(List<Claim> claims, Callable<Outcome> attempt) throws Exception {
        Thread thread = Thread.currentThread();
        List<Claim> outer = byThread.put(thread, claims);
        try {
            return attempt.call();
        } finally {
            if (outer == null) {
                byThread.remove(thread);
            } else {
                byThread.put(thread, outer);
            }
        }
    }

    /** Returns true while {@code thread} runs a handler. */
    boolean isHandler(Thread thread) {
        return byThread.containsKey(thread);
    }

    /**
     * Returns the claims whose handler ends the process: the handler's thread is inside {@code System.exit}, which
     * waits for the shutdown hooks and never returns. One of these hooks may be stopping the pipeline.
     */
    Set<Claim> endingTheProcess() {
        Set<Claim> ending = new HashSet<>();
        byThread.forEach((thread, claims) -> {
            if (isInsideExit(thread)) {
                ending.addAll(claims);
            }
        });
        return ending;
    }

    private static boolean isInsideExit(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Runtime.class.getName())
                        && (frame.getMethodName().equals("exit")
                                || frame.getMethodName().equals("halt")));
    }
}
