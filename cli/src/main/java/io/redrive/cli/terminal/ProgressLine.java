package io.redrive.cli.terminal;

import io.redrive.core.Time;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** Shows the progress of a command: on a terminal as one line that changes, elsewhere as a line every few seconds. */
public final class ProgressLine {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
    private static final Duration BETWEEN_CHANGES = Duration.ofMillis(100);
    private static final String ERASE = "\r\u001b[K";

    private final Terminal terminal;
    private final Time time;
    private final Consumer<String> lines;
    private final PrintWriter err;
    private final boolean live;
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
    }

    /** Shows this text, unless another one was shown a moment ago. */
    public void show(String text) {
        long now = time.nanos();
        Duration pause = live ? BETWEEN_CHANGES : BETWEEN_LINES;
        if (text.equals(last) || shownAny && now - shownAt < pause.toNanos()) {
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

    /** Erases the line that changes; the answer of the command starts on an empty line. */
    public void end() {
        if (live && shownAny) {
            err.print(ERASE);
            err.flush();
        }
    }
}
