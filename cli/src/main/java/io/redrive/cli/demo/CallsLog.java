package io.redrive.cli.demo;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Shows the error lines of core's log on the screen, and keeps its other lines off the console. */
final class CallsLog extends Handler implements AutoCloseable {

    private final CallsScreen screen;
    private final Logger logger = Logger.getLogger("io.redrive.core");

    CallsLog(CallsScreen screen) {
        this.screen = screen;
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getLevel().intValue() >= Level.SEVERE.intValue()) {
            screen.log("ERROR", record.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
