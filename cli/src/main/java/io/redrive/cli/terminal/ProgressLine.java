package io.redrive.cli.terminal;

import io.redrive.core.Time;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Shows the progress of a command: on a terminal as one line that changes, elsewhere as a line every few seconds. Elsewhere a
 * command that takes less than these seconds says its answer alone.
 */
public final class ProgressLine {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
    private static final Duration BETWEEN_CHANGES = Duration.ofMillis(100);
    private static final String ERASE = "\r\u001b[K";

    private final Terminal terminal;
    private final Time time;
    private final Consumer<String> lines;
    private final PrintWriter err;
    private final boolean live;
    private final long startedAt;
    private String last = "";
    private long shownAt;
    private boolean shownAny;

    /**
     * Prepares the line; nothing is printed yet.
     *
     * @param lines takes progress as lines of their own, where the terminal is not interactive
     * @param err takes the line that changes; standard output may be the answer itself
     */
    public ProgressLine(Terminal terminal, Time time, Consumer<String> lines, PrintWriter err) {
        this.terminal = terminal;
        this.time = time;
        this.lines = lines;
        this.err = err;
        live = terminal.isInteractive();
        startedAt = time.nanos();
    }

    /** Shows this text, unless another one was shown a moment ago. */
    public void show(String text) {
        long now = time.nanos();
        if (text.equals(last) || isTooEarly(now)) {
            return;
        }
        if (live) {
            err.print(ERASE + Printable.cut(text, terminal.columns()));
            err.flush();
        } else {
            lines.accept(text);
        }
        last = text;
        shownAt = now;
        shownAny = true;
    }

    private boolean isTooEarly(long now) {
        return live
                ? shownAny && now - shownAt < BETWEEN_CHANGES.toNanos()
                : now - (shownAny ? shownAt : startedAt) < BETWEEN_LINES.toNanos();
    }

    /** Erases the line that changes; the answer of the command starts on an empty line. */
    public void end() {
        if (live && shownAny) {
            err.print(ERASE);
            err.flush();
        }
    }
}
