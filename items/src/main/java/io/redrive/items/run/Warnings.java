package io.redrive.items.run;

import io.redrive.core.Failure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Warnings about exceptions of user code. Catches what the exception's own methods throw, and what the log throws, and
 * prints no exception whose methods block: a warning must neither end nor stop the loop that gives it.
 */
final class Warnings {

    private static final Logger LOG = System.getLogger("io.redrive.items");

    private Warnings() {}

    /** Logs {@code what} and the text of the exception, with its stack trace if the log can print one. */
    static void warn(String what, Throwable error) {
        log(Level.WARNING, what, error);
    }

    /** Logs as {@link #warn} does, at another level. */
    static void log(Level level, String what, Throwable error) {
        Failure.Thrown failure = new Failure.Thrown(error, false);
        String line = what + failure.message();
        try {
            if (failure.isPrintable()) {
                LOG.log(level, line, error);
            } else {
                LOG.log(level, line);
            }
        } catch (Throwable unprintable) {
            try {
                LOG.log(level, line);
            } catch (Throwable broken) {
                // A broken log leaves no place for the warning.
            }
        }
    }

    /** Returns the message of an exception; {@link #textOf} for an exception without one, or whose methods throw. */
    static String messageOf(Throwable error) {
        return new Failure.Thrown(error, false).detail();
    }

    /** Returns type and message of an exception, cut, also when its own methods throw. */
    static String textOf(Throwable error) {
        return Failure.thrown(error).message();
    }
}
