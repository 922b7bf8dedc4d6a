package io.redrive.cli.terminal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Formatter;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;

/**
 * Formats log lines for the terminal: level and message on one line, a stack trace below. Log lines repeat what servers and
 * samples say, so each line passes {@link Printable}.
 */
public final class ConsoleLog extends Formatter {

    private static final String CLASS_PROPERTY = "java.util.logging.config.class";
    private static final String FILE_PROPERTY = "java.util.logging.config.file";

    /**
     * Formats all log lines of this process so, unless the user has configured the log. Costs nothing while no line is logged:
     * the JDK makes a {@link Configuration} when it is first asked for a log.
     */
    public static void install() {
        if (System.getProperty(FILE_PROPERTY) == null && System.getProperty(CLASS_PROPERTY) == null) {
            System.setProperty(CLASS_PROPERTY, Configuration.class.getName());
        }
    }

    /** Configures the log of the JDK when it is made, which the JDK does. */
    public static final class Configuration {

        /** Sends lines from {@code INFO} on to the terminal. */
        public Configuration() throws IOException {
            String settings = """
                    handlers = java.util.logging.ConsoleHandler
                    .level = INFO
                    java.util.logging.ConsoleHandler.level = INFO
                    java.util.logging.ConsoleHandler.formatter = %s
                    """.formatted(ConsoleLog.class.getName());
            LogManager.getLogManager()
                    .readConfiguration(new ByteArrayInputStream(settings.getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    @Override
    public String format(LogRecord entry) {
        return entry.getLevel().getName() + ": " + Printable.line(formatMessage(entry)) + "\n"
                + Printable.block(LogFile.stackOf(entry.getThrown()));
    }
}
