package io.redrive.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;

/**
 * Sends Flyway's log to {@link System.Logger}, its information as debug messages: opening a store is no news. Public
 * only because Flyway creates it by name.
 */
public final class MigrationLog implements LogCreator {

    /** Called by Flyway. */
    public MigrationLog() {}

    @Override
    public Log createLogger(Class<?> source) {
        return new Quiet(System.getLogger(source.getName()));
    }

    private record Quiet(Logger logger) implements Log {
        @Override
        public void debug(String message) {
            logger.log(Level.TRACE, message);
        }

        @Override
        public void info(String message) {
            logger.log(Level.DEBUG, message);
        }

        @Override
        public void notice(String message) {
            logger.log(Level.DEBUG, message);
        }

        @Override
        public void warn(String message) {
            logger.log(Level.WARNING, message);
        }

        // Flyway throws errors too, and a process that lost the race to create the tables has no error.
        @Override
        public void error(String message) {
            logger.log(Level.DEBUG, message);
        }

        @Override
        public void error(String message, Exception e) {
            logger.log(Level.DEBUG, message, e);
        }
    }
}
