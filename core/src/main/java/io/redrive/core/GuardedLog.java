package io.redrive.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Warnings about user code that threw. Neither the methods of the exception nor a log handler that throws get past this
 * class: a warning must not break the work it is about.
 */
final class GuardedLog {

    private static final Logger LOG = System.getLogger(GuardedLog.class.getPackageName());

    private GuardedLog() {}

    /** Logs {@code what} followed by the exception's text and, if the log can print it, its stack trace. */
    static void warn(String what, Throwable error) {
        String line = what + ThrownReading.textOf(error);
        try {
            LOG.log(Level.WARNING, line, error);
        } catch (Throwable unprintable) {
            try {
                LOG.log(Level.WARNING, line);
            } catch (Throwable broken) {
                // The log is broken, and there is no other place to say so.
            }
        }
    }
}
