package io.redrive.cli.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The terminal that this process was started from. */
public final class SystemTerminal implements Terminal {

    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;
    private static final int LEAST_COLUMNS = 40;
    private static final Pattern SIZE = Pattern.compile("(\\d+) (\\d+)");

    private int columns;
    private int rows;

    @Override
    public boolean isInteractive() {
        Console console = System.console();
        return console != null && isTerminal(console);
    }

    /** Since Java 22 {@code System.console()} may exist without a terminal; a new method tells the difference. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    @Override
    public int columns() {
        if (!isInteractive()) {
            return Integer.MAX_VALUE;
        }
        measure();
        return columns;
    }

    @Override
    public int rows() {
        measure();
        return rows;
    }

    /** Asks {@code stty} for the size, because Java has no way to find out. */
    private void measure() {
        if (columns > 0) {
            return;
        }
        columns = USUAL_COLUMNS;
        rows = USUAL_ROWS;
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            Matcher size = SIZE.matcher(answer.strip());
            if (stty.waitFor(1, TimeUnit.SECONDS)
                    && size.matches()
                    && !size.group(2).equals("0")) {
                rows = Integer.parseInt(size.group(1));
                columns = Math.max(LEAST_COLUMNS, Integer.parseInt(size.group(2)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Either stty or the terminal is missing: assume the usual size.
            columns = USUAL_COLUMNS;
        }
    }

    @Override
    public String ask(String question) {
        Console console = System.console();
        String answer = console == null ? null : console.readLine("%s", question);
        return answer == null ? "" : answer.strip();
    }

    @Override
    public boolean edit(Path file) throws IOException, InterruptedException {
        // The shell starts the editor, because the variable may hold options: EDITOR="code --wait".
        String command = "${VISUAL:-${EDITOR:-vi}} \"$1\"";
        return new ProcessBuilder("sh", "-c", command, "sh", file.toString())
                        .inheritIO()
                        .start()
                        .waitFor()
                == 0;
    }
}
