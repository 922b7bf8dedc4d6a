package io.redrive.core;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Walks from an exception to its causes, from the outside in. The walk ends where {@code getCause} throws or blocks,
 * where the causes form a circle, and at {@link #MAX_DEPTH}.
 */
final class CauseChain {

    /** Real cause chains are shorter. */
    static final int MAX_DEPTH = 64;

    private CauseChain() {}

    /** Returns {@code error} and its causes, outermost first. */
    static List<Throwable> of(Throwable error) {
        if (!BoundedReading.runsUserCode(error)) {
            Throwable cause = causeOf(error);
            if (cause == null || cause == error) {
                return List.of(error);
            }
        }
        // Filled by the reading thread, and copied by the caller at the time limit.
        List<Throwable> chain = new CopyOnWriteArrayList<>();
        chain.add(error);
        if (!extend(chain, false)) {
            BoundedReading.ends(() -> extend(chain, true));
        }
        return List.copyOf(chain);
    }

    /**
     * Adds causes to the chain. Returns false when the next {@code getCause} is user code and {@code throughUserCode}
     * is false.
     */
    private static boolean extend(List<Throwable> chain, boolean throughUserCode) {
        while (chain.size() < MAX_DEPTH) {
            Throwable last = chain.get(chain.size() - 1);
            if (!throughUserCode && BoundedReading.runsUserCode(last)) {
                return false;
            }
            Throwable cause = causeOf(last);
            if (cause == null || holds(chain, cause)) {
                return true;
            }
            chain.add(cause);
        }
        return true;
    }

    /** Returns the first exception of the chain that is a {@code type}, or null. */
    static <T> @Nullable T find(List<Throwable> chain, Class<T> type) {
        for (int i = 0; i < chain.size(); i++) {
            if (type.isInstance(chain.get(i))) {
                return type.cast(chain.get(i));
            }
        }
        return null;
    }

    /** Returns the exception inside the wrappers of asynchronous and reflective calls. */
    static Throwable unwrap(Throwable error) {
        return isWrapper(error) ? unwrap(of(error)) : error;
    }

    /** Returns the first exception of the chain that is no wrapper, or the innermost wrapper. */
    static Throwable unwrap(List<Throwable> chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (!isWrapper(chain.get(i))) {
                return chain.get(i);
            }
        }
        return chain.get(chain.size() - 1);
    }

    private static boolean isWrapper(Throwable error) {
        return error instanceof CompletionException
                || error instanceof ExecutionException
                || error instanceof InvocationTargetException
                || error instanceof UndeclaredThrowableException;
    }

    private static @Nullable Throwable causeOf(Throwable error) {
        try {
            return error.getCause();
        } catch (Throwable unreadable) {
            return null;
        }
    }

    /** By identity: {@code equals} of an exception is user code. */
    private static boolean holds(List<Throwable> chain, Throwable error) {
        for (int i = 0; i < chain.size(); i++) {
            if (chain.get(i) == error) {
                return true;
            }
        }
        return false;
    }
}
