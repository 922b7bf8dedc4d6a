package io.redrive.core;

/**
 * Carries what is bound to the calling thread (a logging MDC, a trace, a tenant) into attempts that run on other threads.
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

    /** What was captured: wraps every later attempt. */
    @FunctionalInterface
    interface Captured {
        /** The same work with the captured context around it. */
        Runnable around(Runnable work);
    }
}
