package io.redrive.bench;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Silences the log: writing a line for each of many thousand retries would dominate the figures. */
final class QuietLog {

    /** Held, because the logging system itself holds loggers only weakly. */
    private static final Logger REDRIVE = Logger.getLogger("io.redrive");

    private QuietLog() {}

    static void now() {
        REDRIVE.setLevel(Level.OFF);
        // Spring Kafka logs through Log4j, whose core comes with the broker and without a configuration: it would write
        // each failure of a listener with its stack trace.
        System.setProperty("org.apache.logging.log4j.level", "OFF");
    }
}
