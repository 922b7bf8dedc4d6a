package io.redrive.cli.terminal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends all log lines to a file until closed, because the command draws its own screen on the console. The file starts over at
 * 16 MiB.
 */
public final class LogFile implements AutoCloseable {

    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int MAX_CAUSES = 16;

    private final Logger root = Logger.getLogger("");
    private final Handler[] before = root.getHandlers();
    private final Handler toFile;

    /** Redirects the log to {@code file}, after the lines that the file already has. */
    public LogFile(Path file) throws IOException {
        toFile = new FileHandler(file.toString().replace("%", "%%"), MAX_BYTES, 1, true);
        toFile.setFormatter(new OneLine());
        for (Handler handler : before) {
            root.removeHandler(handler);
        }
        root.addHandler(toFile);
    }

    /** Writes one line for each message, starting with the time; stack traces follow on lines of their own. */
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
            return text.append(stackOf(entry.getThrown())).toString();
        }
    }

    /** Returns the stack of the error and of its causes, one line for each frame; empty for no error. */
    static String stackOf(@Nullable Throwable error) {
        StringBuilder text = new StringBuilder();
        Throwable at = error;
        for (int depth = 0; at != null && depth < MAX_CAUSES; depth++) {
            text.append(depth == 0 ? "" : "caused by ").append(at).append('\n');
            for (StackTraceElement frame : at.getStackTrace()) {
                text.append("    at ").append(frame).append('\n');
            }
            at = at.getCause();
        }
        return text.toString();
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
