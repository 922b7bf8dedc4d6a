package io.redrive.items.run;

import io.redrive.core.Failure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Warnings about user code that threw. Neither the methods of the exception nor a log handler that throws get past this
 * class: a warning must not end the loop that gives it.
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
                // The log is broken, and there is no other place to say so.
            }
        }
    }

    /** Returns what an exception says; its text when it says nothing or its own methods throw. */
    static String messageOf(Throwable error) {
        try {
            String message = error.getMessage();
            return message == null ? textOf(error) : message;
        } catch (Throwable unreadable) {
            return textOf(error);
        }
    }

    /** Returns the text of an exception, cut, also when its own methods throw. */
    static String textOf(Throwable error) {
        return Failure.thrown(error).message();
    }
}
