package io.redrive.core;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Walks from an exception to its causes, from the outside in, and never further than {@link #MAX_DEPTH}. */
final class CauseChain {

    /** Causes may form a circle; nothing sensible is deeper than this. */
    static final int MAX_DEPTH = 64;

    private CauseChain() {}

    /** The first in the chain that is a {@code type}, or null. */
    static <T> T find(Throwable error, Class<T> type) {
        Throwable at = error;
        for (int depth = 0; at != null && depth < MAX_DEPTH; depth++) {
            if (type.isInstance(at)) {
                return type.cast(at);
            }
            at = at.getCause();
        }
        return null;
    }

    /** What is inside the wrappers that asynchronous and reflective calls put around an exception. */
    static Throwable unwrap(Throwable error) {
        Throwable at = error;
        for (int depth = 0; isWrapper(at) && at.getCause() != null && depth < MAX_DEPTH; depth++) {
            at = at.getCause();
        }
        return at;
    }

    private static boolean isWrapper(Throwable error) {
        return error instanceof CompletionException
                || error instanceof ExecutionException
                || error instanceof InvocationTargetException
                || error instanceof UndeclaredThrowableException;
    }
}
