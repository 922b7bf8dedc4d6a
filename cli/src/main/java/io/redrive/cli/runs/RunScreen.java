package io.redrive.cli.runs;

import io.redrive.cli.terminal.Paint;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.Terminal;
import io.redrive.core.DurationText;
import io.redrive.core.Failure;
import io.redrive.items.Progress;
import io.redrive.items.RunListener;
import io.redrive.jdbc.ConnectionSecrets;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a run: on a terminal as a bar that is redrawn in place, elsewhere as a line every few seconds. Writes to
 * standard error, because standard output is for the report.
 */
final class RunScreen implements RunListener {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
    private static final int MOST_BAR = 30;
    private static final int LEAST_BAR = 10;
    private static final String AS_ASKED = " as its server asked";
    private static final String STOPPING =
            "stopping: calls under way may finish for up to " + DurationText.format(RunTask.SETTINGS.stopLimit());
    private static final String TO_START_AND_ERASE = "\r\u001b[K";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    private final PrintWriter err;
    private final Paint paint;
    private final Terminal terminal;
    private final boolean live;
    private final boolean quiet;
    private final RunPace pace = new RunPace();
    private Duration lastLine = Duration.ZERO;
    private volatile @Nullable Slowed slowed;
    private volatile boolean stopping;
    private volatile String trouble = "";
    private volatile Instant troubleShown = Instant.MIN;

    RunScreen(PrintWriter err, Paint paint, Terminal terminal, boolean quiet) {
        this.err = err;
        this.paint = paint;
        this.terminal = terminal;
        this.quiet = quiet;
        live = terminal.isInteractive() && !quiet;
    }

    @Override
    public void onSlowed(Slowed event) {
        slowed = event;
    }

    /**
     * Shows the trouble, so that a run with a full disk does not look like a run with a slow server. The same trouble is shown again
     * only after the run's patience has passed: a run with lasting trouble would have ended by then, so the trouble is new.
     */
    @Override
    public void onTrouble(Trouble event) {
        String message = Printable.line(new Failure.Thrown(event.error(), false).detail());
        boolean isNew = !message.equals(trouble)
                || Duration.between(troubleShown, event.at()).compareTo(RunTask.SETTINGS.patience()) > 0;
        if (!quiet && isNew) {
            trouble = message;
            troubleShown = event.at();
            err.println((live ? TO_START_AND_ERASE : "") + "trying again: "
                    + Printable.line(ConnectionSecrets.hidden(message)));
        }
    }

    void begin(String line) {
        if (!quiet) {
            err.println(Printable.screen(line));
        }
        if (live) {
            err.print(HIDE_CURSOR);
            err.flush();
        }
    }

    /** Shows at once that Ctrl-C was received. */
    void stopping() {
        stopping = true;
        if (!live && !quiet) {
            err.println(STOPPING);
        }
    }

    /** Shows the progress after the run has worked for {@code running}. */
    void update(Progress progress, Duration running, Instant now) {
        seen(progress, running);
        if (live) {
            err.print(TO_START_AND_ERASE + drawn(progress, pace.perSecond(), now));
            err.flush();
        } else if (!quiet && running.minus(lastLine).compareTo(BETWEEN_LINES) >= 0) {
            lastLine = running;
            err.println("+" + running.toSeconds() + "s  " + String.join(", ", words(progress, pace.perSecond(), now)));
        }
    }

    void end(Progress progress, Duration running, Instant now) {
        seen(progress, running);
        slowed = null;
        stopping = false;
        if (live) {
            err.print(TO_START_AND_ERASE + drawn(progress, pace.perSecondOverall(), now) + "\n" + SHOW_CURSOR);
            err.flush();
        } else if (!quiet) {
            err.println("+" + running.toSeconds() + "s  "
                    + String.join(", ", words(progress, pace.perSecondOverall(), now)));
        }
    }

    /** Records the pace once the run has taken a sample: samples of an earlier process say nothing about the pace now. */
    private void seen(Progress progress, Duration running) {
        if (progress.taken() > 0) {
            pace.seen(running, progress.processed());
        }
    }

    private String drawn(Progress progress, double perSecond, Instant now) {
        String words = String.join("  ", words(progress, perSecond, now));
        int room = terminal.columns() - words.length() - 3;
        if (room < LEAST_BAR) {
            // Fewer words are better than a bar that appears and disappears.
            words = words.replace(AS_ASKED, "");
            room = terminal.columns() - words.length() - 3;
        }
        if (progress.size().isEmpty() || room < LEAST_BAR) {
            return Printable.cut(words, terminal.columns() - 1);
        }
        int width = Math.min(MOST_BAR, room);
        int done = (int) (width * share(progress));
        return paint.green("█".repeat(done)) + paint.faint("░".repeat(width - done)) + "  " + words;
    }

    private List<String> words(Progress progress, double perSecond, Instant now) {
        List<String> words = new ArrayList<>();
        if (stopping && live) {
            words.add(STOPPING);
        }
        if (progress.size().isPresent()) {
            long size = Math.max(progress.size().getAsLong(), progress.taken());
            words.add((int) (100 * share(progress)) + "%");
            words.add(number(progress.processed()) + " of " + number(size));
            rate(words, perSecond);
            if (progress.processed() < size) {
                pace.timeFor(size - progress.processed())
                        .ifPresent(left -> words.add(DurationText.format(left) + " left"));
            }
        } else {
            words.add(number(progress.processed()) + " done");
            rate(words, perSecond);
        }
        words.add(number(progress.retries()) + (progress.retries() == 1 ? " retry" : " retries"));
        words.add(number(progress.dead()) + " dead");
        if (progress.waiting() > 0) {
            words.add(number(progress.waiting()) + " waiting");
        }
        Slowed asked = slowed;
        if (asked != null && now.isBefore(asked.at().plus(asked.pause()))) {
            Duration left = Duration.between(now, asked.at().plus(asked.pause()));
            words.add(asked.stage() + " pauses " + DurationText.format(Duration.ofSeconds(left.toSeconds() + 1))
                    + AS_ASKED);
        }
        return words;
    }

    private static double share(Progress progress) {
        long size = Math.max(progress.size().orElse(0), progress.taken());
        return size == 0 ? 1 : Math.min(1, (double) progress.processed() / size);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Adds the pace, if it is known. */
    private static void rate(List<String> words, double perSecond) {
        if (!Double.isNaN(perSecond)) {
            words.add(
                    perSecond >= 10 || perSecond == 0
                            ? number(Math.round(perSecond)) + "/s"
                            : String.format(Locale.ROOT, "%.1f/s", perSecond));
        }
    }
}
