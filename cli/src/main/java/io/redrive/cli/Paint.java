package io.redrive.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;

/** Colours where they are wanted. Text goes through as it is: nothing in it is taken for markup. */
record Paint(Ansi ansi) {

    /** What the styles below write, and nothing else. */
    static final Pattern STYLES = Pattern.compile("\u001b\\[(?:0|1|2|21|22|31|32|33|39)?m");

    String bold(String text) {
        return in(Style.bold, text);
    }

    String faint(String text) {
        return in(Style.faint, text);
    }

    String red(String text) {
        return in(Style.fg_red, text);
    }

    String green(String text) {
        return in(Style.fg_green, text);
    }

    String yellow(String text) {
        return in(Style.fg_yellow, text);
    }

    private String in(Style style, String text) {
        // Not style.off(): for bold that is code 21, which many terminals take for a double underline.
        return ansi.enabled() ? style.on() + text + Style.reset.on() : text;
    }
}
