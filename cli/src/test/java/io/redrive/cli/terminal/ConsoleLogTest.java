package io.redrive.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Log lines on the terminal. */
final class ConsoleLogTest {

    @Test
    void a_log_line_is_one_line_that_no_terminal_obeys() {
        LogRecord entry = new LogRecord(Level.WARNING, "sample {0} failed: bad \u001b[2J\nWARNING: forged\u202e");
        entry.setParameters(new Object[] {"s1"});

        assertThat(new ConsoleLog().format(entry))
                .isEqualTo("WARNING: sample s1 failed: bad \\u001b[2J WARNING: forged\\u202e\n");
    }

    @Test
    void a_stack_trace_is_below_and_harmless_too() {
        LogRecord entry = new LogRecord(Level.SEVERE, "the store failed");
        entry.setThrown(new IllegalStateException("\u009b2J"));

        assertThat(new ConsoleLog().format(entry))
                .startsWith("SEVERE: the store failed\njava.lang.IllegalStateException: \\u009b2J\n    at ");
    }
}
