package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Exit code and output of a command, run inside this JVM with a clock moved only by waits. */
record Ran(int code, String out, String err) {

    static Ran redrive(String... args) {
        return redrive(new ManualTime(), args);
    }

    static Ran redrive(Time time, String... args) {
        return redrive(new Context(time, new JdbcStores(), new NoTerminal(), InputStream.nullInputStream()), args);
    }

    static Ran redrive(Context context, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Redrive.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), context, args)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }
}
