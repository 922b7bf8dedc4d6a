package io.redrive.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Logs warnings about user code that threw. Contains whatever the exception's methods and the log handlers throw, and
 * prints no exception whose methods block: a warning must not break or stop the work.
 */
final class GuardedLog {

    private static final Logger LOG = System.getLogger(GuardedLog.class.getPackageName());

    private GuardedLog() {}

    /** Logs {@code what} followed by the exception's text and, if the log can print the exception, the stack trace. */
    static void warn(String what, Throwable error) {
        ThrownReading reading = ThrownReading.of(error);
        String line = what + reading.message();
        try {
            if (reading.isPrintable()) {
                LOG.log(Level.WARNING, line, error);
            } else {
                LOG.log(Level.WARNING, line);
            }
        } catch (Throwable unprintable) {
            try {
                LOG.log(Level.WARNING, line);
            } catch (Throwable broken) {
                // The log itself is broken: no place is left to report the error.
            }
        }
    }
}
