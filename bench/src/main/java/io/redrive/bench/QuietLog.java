package io.redrive.bench;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Silences the log: a line for each of many thousand retries would be what is measured. */
final class QuietLog {

    /** Held, because the logging system itself holds loggers only weakly. */
    private static final Logger REDRIVE = Logger.getLogger("io.redrive");

    private QuietLog() {}

    static void now() {
        REDRIVE.setLevel(Level.OFF);
    }
}
