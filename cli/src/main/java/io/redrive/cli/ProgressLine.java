package io.redrive.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** How far a command is: one line that keeps changing on a terminal, elsewhere a line now and then. */
final class ProgressLine {

    private static final Duration NOW_AND_THEN = Duration.ofSeconds(5);
    private static final Duration BLINK = Duration.ofMillis(100);
    private static final String ERASE = "\r\u001b[K";

    private final Context context;
    private final Consumer<String> note;
    private final PrintWriter err;
    private final boolean live;
    private String last = "";
    private long said;
    private boolean saidAny;

    /**
     * @param note says a line of its own
     * @param err where the changing line goes: standard output may be the answer itself
     */
    ProgressLine(Context context, Consumer<String> note, PrintWriter err) {
        this.context = context;
        this.note = note;
        this.err = err;
        live = context.terminal().isInteractive();
    }

    /** Shows this line, unless another one was shown a moment ago. */
    void show(String line) {
        long now = context.time().nanos();
        Duration pause = live ? BLINK : NOW_AND_THEN;
        if (line.equals(last) || saidAny && now - said < pause.toNanos()) {
            return;
        }
        if (live) {
            err.print(ERASE + Printable.cut(line, context.terminal().columns()));
            err.flush();
        } else {
            note.accept(line);
        }
        last = line;
        said = now;
        saidAny = true;
    }

    /** Makes room for what is said at the end. */
    void end() {
        if (live && saidAny) {
            err.print(ERASE);
            err.flush();
        }
    }
}
