package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Exit code and output of a command, run inside this JVM with a clock moved only by waits. */
record Ran(int code, String out, String err) {

    /** Returns the value of a member of the JSON objects in the answer, of the first that has it. */
    String text(String member) {
        Matcher found = Pattern.compile("\"" + member + "\":\"?([^\",}]*)").matcher(out);
        if (!found.find()) {
            throw new AssertionError("no " + member + " in: " + out + err);
        }
        return found.group(1);
    }

    static Ran redrive(String... args) {
        return redrive(new ManualTime(), args);
    }

    static Ran redrive(Time time, String... args) {
        return redrive(new Context(time, new JdbcStores(), new NoTerminal(), InputStream.nullInputStream()), args);
    }

    /** Returns output and messages of a command as a terminal shows them, in the order of printing. */
    static String shown(Context context, String... args) {
        StringWriter shown = new StringWriter();
        PrintWriter both = new PrintWriter(shown, true);
        Redrive.commandLine(both, both, context, args)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .execute(args);
        return shown.toString();
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
