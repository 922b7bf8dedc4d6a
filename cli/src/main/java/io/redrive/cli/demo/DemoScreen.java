package io.redrive.cli.demo;

import io.redrive.cli.terminal.Paint;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.Terminal;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.StoreStats;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows the board: on a terminal as a table that is redrawn in place, elsewhere as a line every two seconds. */
final class DemoScreen {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(2);
    private static final String ERASE_LINE = "\u001b[K";
    private static final String ERASE_BELOW = "\u001b[J";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    private final PrintWriter out;
    private final Paint paint;
    private final Terminal terminal;
    private final boolean live;
    private int drawn;
    private Duration lastLine = Duration.ZERO;

    DemoScreen(PrintWriter out, Paint paint, Terminal terminal) {
        this.out = out;
        this.paint = paint;
        this.terminal = terminal;
        live = terminal.isInteractive();
    }

    void say(String line) {
        out.println(line);
    }

    void say(TextTable table) {
        table.lines(terminal.columns(), paint).forEach(out::println);
    }

    void title(String line) {
        say(paint.bold(line));
    }

    void begin() {
        if (live) {
            out.print(HIDE_CURSOR);
        }
    }

    /** Shows the board after the demo has run for {@code running}. */
    void update(DemoBoard board, StoreStats stats, Duration running) {
        if (live) {
            draw(board, stats, running);
        } else if (running.minus(lastLine).compareTo(BETWEEN_LINES) >= 0) {
            lastLine = running;
            say("+" + running.toSeconds() + "s  " + summary(board));
        }
    }

    void end(DemoBoard board, StoreStats stats, Duration running) {
        if (live) {
            draw(board, stats, running);
            out.print(SHOW_CURSOR);
            out.flush();
        } else {
            say("+" + running.toSeconds() + "s  " + summary(board));
        }
    }

    private void draw(DemoBoard board, StoreStats stats, Duration running) {
        List<String> lines = new ArrayList<>(table(board).lines(terminal.columns(), paint));
        lines.add("");
        lines.add(Printable.cut(running.toSeconds() + "s: " + summary(board), terminal.columns()));
        lines.add(Printable.cut(
                "store: " + stats.ready() + " ready, " + stats.delayed() + " delayed, " + stats.claimed() + " claimed, "
                        + stats.dead() + " dead letters",
                terminal.columns()));
        lines.add(paint.yellow(Printable.cut(Printable.line(board.remarks()), terminal.columns())));
        StringBuilder frame = new StringBuilder();
        if (drawn > 0) {
            frame.append("\u001b[").append(drawn).append('A');
        }
        List<String> shown = lines.subList(0, Math.min(lines.size(), Math.max(1, terminal.rows() - 1)));
        shown.forEach(line -> frame.append(line).append(ERASE_LINE).append('\n'));
        out.print(frame.append(ERASE_BELOW));
        out.flush();
        drawn = shown.size();
    }

    private static String summary(DemoBoard board) {
        DemoBoard.Row total = board.total();
        return total.published() + " published, " + total.done() + " done, " + total.retrying() + " retrying, "
                + total.dead() + " dead, " + total.retries() + " retries, " + board.duplicates()
                + " duplicates dropped";
    }

    private static TextTable table(DemoBoard board) {
        TextTable table = new TextTable(
                Column.elastic("event"),
                Column.right("published"),
                Column.right("done"),
                Column.right("retrying"),
                Column.right("dead"),
                Column.elastic("last trouble"));
        board.rows()
                .forEach((name, row) ->
                        table.add(name, row.published(), row.done(), row.retrying(), row.dead(), row.trouble()));
        return table;
    }
}
