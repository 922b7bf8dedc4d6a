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

    /** Logs {@code what} followed by the exception's text and, if the log can print it, its stack trace. */
    static void warn(String what, Throwable error) {
        String line = what + textOf(error);
        try {
            LOG.log(Level.WARNING, line, error);
        } catch (Throwable unprintable) {
            try {
                LOG.log(Level.WARNING, line);
            } catch (Throwable broken) {
                // The log is broken, and there is nowhere else to report that.
            }
        }
    }

    /** Returns the message of an exception; its text when it has no message or its own methods throw. */
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
