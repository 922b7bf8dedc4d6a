package io.redrive.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

final class PaintTest {

    @Test
    void a_style_ends_with_a_reset_that_every_terminal_understands() {
        Paint paint = new Paint(Ansi.ON);

        assertThat(paint.bold("a @|red b|@")).isEqualTo("\u001b[1ma @|red b|@\u001b[0m");
        assertThat(paint.faint("a")).isEqualTo("\u001b[2ma\u001b[0m");
        assertThat(paint.red("a")).isEqualTo("\u001b[31ma\u001b[0m");
    }

    @Test
    void without_colours_text_stays_unchanged() {
        assertThat(new Paint(Ansi.OFF).bold("a")).isEqualTo("a");
    }
}
