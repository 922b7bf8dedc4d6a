package io.redrive.cli.terminal;

import java.util.regex.Pattern;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;

/** Styles text where colours are enabled. The text itself is never read as markup. */
public record Paint(Ansi ansi) {

    /** Matches exactly the escape sequences that the methods of this class write. */
    static final Pattern STYLES = Pattern.compile("\u001b\\[(?:0|1|2|21|22|31|32|33|39)?m");

    public String bold(String text) {
        return styled(Style.bold, text);
    }

    public String faint(String text) {
        return styled(Style.faint, text);
    }

    public String red(String text) {
        return styled(Style.fg_red, text);
    }

    public String green(String text) {
        return styled(Style.fg_green, text);
    }

    public String yellow(String text) {
        return styled(Style.fg_yellow, text);
    }

    private String styled(Style style, String text) {
        // Not style.off(): for bold that is code 21, which many terminals draw as a double underline.
        return ansi.enabled() ? style.on() + text + Style.reset.on() : text;
    }
}
