package io.redrive.items.run;

import io.redrive.core.Failure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Warnings about exceptions of user code. Catches what the exception's own methods throw, and what the log throws: a warning
 * must not end the loop that gives it.
 */
final class Warnings {

    private static final Logger LOG = System.getLogger("io.redrive.items");

    private Warnings() {}

    /** Logs {@code what} and the text of the exception, with its stack trace if the log can print one. */
    static void warn(String what, Throwable error) {
        String line = what + textOf(error);
        try {
            LOG.log(Level.WARNING, line, error);
        } catch (Throwable unprintable) {
            try {
                LOG.log(Level.WARNING, line);
            } catch (Throwable broken) {
                // A broken log leaves no place for the warning.
            }
        }
    }

    /** Returns the message of an exception; {@link #textOf} for an exception without one, or whose methods throw. */
    static String messageOf(Throwable error) {
        try {
            String message = error.getMessage();
            return message == null ? textOf(error) : message;
        } catch (Throwable unreadable) {
            return textOf(error);
        }
    }

    /** Returns type and message of an exception, cut, also when its own methods throw. */
    static String textOf(Throwable error) {
        return Failure.thrown(error).message();
    }
}
