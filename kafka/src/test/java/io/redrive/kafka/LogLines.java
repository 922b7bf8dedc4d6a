package io.redrive.kafka;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that a class writes to the log while something runs. */
final class LogLines extends Handler implements AutoCloseable {

    private final Logger logger;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    /** Listens to a class until closed. */
    LogLines(Class<?> writer) {
        this(writer.getName());
    }

    LogLines(String writer) {
        logger = Logger.getLogger(writer);
        logger.addHandler(this);
    }

    static List<String> of(Class<?> writer, Runnable work) {
        try (LogLines lines = new LogLines(writer)) {
            work.run();
            return lines.all();
        }
    }

    List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord record) {
        lines.add(record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
