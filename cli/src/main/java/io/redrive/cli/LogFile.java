package io.redrive.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Sends every log line to a file for a while: the console is for the command's own screen. The file does not grow for ever. */
final class LogFile implements AutoCloseable {

    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int MAX_CAUSES = 16;

    private final Logger root = Logger.getLogger("");
    private final Handler[] before = root.getHandlers();
    private final Handler toFile;

    LogFile(Path file) throws IOException {
        toFile = new FileHandler(file.toString().replace("%", "%%"), MAX_BYTES, 1, true);
        toFile.setFormatter(new OneLine());
        for (Handler handler : before) {
            root.removeHandler(handler);
        }
        root.addHandler(toFile);
    }

    /** A line for each message, with its time first: to be read, searched and sorted. */
    private static final class OneLine extends Formatter {
        @Override
        public String format(LogRecord entry) {
            StringBuilder text = new StringBuilder();
            text.append(entry.getInstant().truncatedTo(ChronoUnit.MILLIS))
                    .append(' ')
                    .append(entry.getLevel().getName())
                    .append(' ')
                    .append(formatMessage(entry))
                    .append('\n');
            Throwable at = entry.getThrown();
            for (int depth = 0; at != null && depth < MAX_CAUSES; depth++) {
                text.append(depth == 0 ? "" : "caused by ").append(at).append('\n');
                for (StackTraceElement frame : at.getStackTrace()) {
                    text.append("    at ").append(frame).append('\n');
                }
                at = at.getCause();
            }
            return text.toString();
        }
    }

    @Override
    public void close() {
        root.removeHandler(toFile);
        toFile.close();
        for (Handler handler : before) {
            root.addHandler(handler);
        }
    }
}
