package io.redrive.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Sends every log line to a file for a while: the console is for the command's own screen. The file does not grow for ever. */
final class LogFile implements AutoCloseable {

    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private final Logger root = Logger.getLogger("");
    private final Handler[] before = root.getHandlers();
    private final Handler toFile;

    LogFile(Path file) throws IOException {
        toFile = new FileHandler(file.toString().replace("%", "%%"), MAX_BYTES, 1, true);
        toFile.setFormatter(new SimpleFormatter());
        for (Handler handler : before) {
            root.removeHandler(handler);
        }
        root.addHandler(toFile);
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
