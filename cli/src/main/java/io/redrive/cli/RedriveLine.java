package io.redrive.cli;

import io.redrive.pipeline.Redriver.State;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;

/** How far a redrive is: one line that keeps changing on a terminal, elsewhere a line now and then. */
final class RedriveLine implements Consumer<State> {

    private static final Duration NOW_AND_THEN = Duration.ofSeconds(5);
    private static final String ERASE = "\r\u001b[K";

    private final Context context;
    private final boolean canary;
    private final Consumer<String> note;
    private final PrintWriter out;
    private final boolean live;
    private String last = "";
    private long said;
    private boolean saidAny;

    RedriveLine(Context context, boolean canary, Consumer<String> note, PrintWriter out) {
        this.context = context;
        this.canary = canary;
        this.note = note;
        this.out = out;
        live = context.terminal().isInteractive();
    }

    @Override
    public void accept(State state) {
        String line = line(state);
        if (line.isEmpty() || line.equals(last)) {
            return;
        }
        long now = context.time().nanos();
        if (live) {
            out.print(ERASE + Printable.cut(line, context.terminal().columns()));
            out.flush();
        } else if (!saidAny || now - said >= NOW_AND_THEN.toNanos()) {
            note.accept(line);
            said = now;
            saidAny = true;
        } else {
            return;
        }
        last = line;
    }

    /** Makes room for what is said at the end. */
    void end() {
        if (live && !last.isEmpty()) {
            out.print(ERASE);
            out.flush();
        }
    }

    private String line(State state) {
        if (state instanceof State.Working working) {
            return working.redriven() + " of " + working.total() + " redriven";
        }
        if (state instanceof State.Waiting waiting) {
            String why = canary ? "; waiting for a pipeline to handle them" : "";
            return waiting.redriven() + " of " + waiting.total() + " redriven" + why;
        }
        return "";
    }
}
