package io.redrive.pipelinefiles;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;

/** Reads the standard error of a child process: writes each line to the log, and keeps the last characters for messages. */
final class ErrorTail implements Runnable {

    private static final Logger LOG = System.getLogger(ErrorTail.class.getPackageName());
    private static final int KEPT = 500;
    private static final int MAX_LINE = 1_000;

    private final Process process;
    private final String stage;
    private final StringBuilder tail = new StringBuilder();
    private final StringBuilder line = new StringBuilder();

    ErrorTail(Process process, String stage) {
        this.process = process;
        this.stage = stage;
    }

    @Override
    public void run() {
        char[] buffer = new char[2_048];
        try (Reader reader = new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8)) {
            for (int read = reader.read(buffer); read >= 0; read = reader.read(buffer)) {
                keep(buffer, read);
                for (int i = 0; i < read; i++) {
                    log(buffer[i]);
                }
            }
        } catch (IOException e) {
            // The process was killed; the text read so far is kept.
            LOG.log(Level.DEBUG, () -> "stage '" + stage + "': standard error ended: " + e);
        }
        flushLine();
    }

    /** Returns the last 500 characters of standard error, on one line. */
    synchronized String text() {
        return tail.toString().strip().replaceAll("\\s*\\R\\s*", " | ");
    }

    private synchronized void keep(char[] buffer, int length) {
        tail.append(buffer, 0, length);
        tail.delete(0, Math.max(0, tail.length() - KEPT));
    }

    private void log(char c) {
        if (c == '\n') {
            flushLine();
        } else if (line.length() < MAX_LINE) {
            line.append(c);
        }
    }

    private void flushLine() {
        if (!line.isEmpty()) {
            String text = line.toString();
            LOG.log(Level.INFO, () -> "stage '" + stage + "' (process " + process.pid() + ") wrote: " + text);
            line.setLength(0);
        }
    }
}
