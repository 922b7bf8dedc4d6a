package io.redrive.core;

/**
 * Carries thread-bound context (a logging MDC, a trace, a tenant) from the calling thread into attempts on other
 * threads.
 *
 * <pre>{@code
 * ContextCarrier mdc = () -> {
 *     Map<String, String> captured = MDC.getCopyOfContextMap();
 *     return work -> () -> { MDC.setContextMap(captured); try { work.run(); } finally { MDC.clear(); } };
 * };
 * }</pre>
 */
@FunctionalInterface
public interface ContextCarrier {

    /** Called once on the caller's thread. */
    Captured capture();

    /** The captured context, put around every later attempt. */
    @FunctionalInterface
    interface Captured {
        /** Returns the same work with the captured context around it. */
        Runnable around(Runnable work);
    }
}
