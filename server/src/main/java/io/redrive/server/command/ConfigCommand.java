package io.redrive.server.command;

import io.redrive.server.config.EffectiveSettings;
import io.redrive.server.config.ServerConfiguration;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks and shows the configuration of a server, without starting one. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        description = "Check and show the configuration of a server; make the hash of a password.")
public final class ConfigCommand implements Runnable {

    private static final int LONGEST_PASSWORD = 72;
    private static final int SHORTEST_PASSWORD = 8;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    private ConfigCommand() {}

    /** Returns the group of commands with these environment variables. */
    public static CommandLine with(Map<String, String> variables) {
        return new CommandLine(new ConfigCommand())
                .addSubcommand(new Check(variables))
                .addSubcommand(new Show(variables))
                .addSubcommand(new Hash());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? check, show or hash");
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description =
                    "Read and check the configuration as serve does; exit code 2 for the first mistake, with its line.")
    private static final class Check implements Callable<Integer> {

        private final Map<String, String> variables;

        @Spec
        @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
        private CommandSpec spec;

        @Mixin
        private ConfigOption config = new ConfigOption();

        Check(Map<String, String> variables) {
            this.variables = variables;
        }

        @Override
        public Integer call() {
            ServerConfiguration configuration = config.read(variables);
            configuration.check();
            String what = config.file(variables).map(Object::toString).orElse("no file, the defaults");
            spec.commandLine().getOut().println(what + ": valid");
            return 0;
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Show settings, with their place; secrets are hidden.")
    private static final class Show implements Callable<Integer> {

        private final Map<String, String> variables;

        @Spec
        @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
        private CommandSpec spec;

        @Mixin
        private ConfigOption config = new ConfigOption();

        @Option(names = "--effective", description = "Also the defaults of settings that nobody set.")
        private boolean effective;

        Show(Map<String, String> variables) {
            this.variables = variables;
        }

        @Override
        public Integer call() {
            ServerConfiguration configuration = config.read(variables);
            configuration.check();
            EffectiveSettings.of(configuration).stream()
                    .filter(setting -> effective || !setting.isDefault())
                    .forEach(setting -> spec.commandLine().getOut().println(setting));
            return 0;
        }
    }

    @Command(
            name = "hash",
            mixinStandardHelpOptions = true,
            description = {
                "Make the hash of a password, for auth.users.NAME.password in the configuration.",
                "Asks for the password in a terminal; reads one line of standard input otherwise."
            })
    private static final class Hash implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            String password = password();
            int bytes = password.getBytes(StandardCharsets.UTF_8).length;
            if (bytes < SHORTEST_PASSWORD || bytes > LONGEST_PASSWORD) {
                throw new IllegalArgumentException("the password must have " + SHORTEST_PASSWORD + " to "
                        + LONGEST_PASSWORD + " bytes, got " + bytes);
            }
            spec.commandLine().getOut().println(new BCryptPasswordEncoder().encode(password));
            return 0;
        }

        private static String password() throws IOException {
            Console console = System.console();
            if (console != null) {
                char[] typed = console.readPassword("password: ");
                return typed == null ? "" : new String(typed);
            }
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String line = in.readLine();
            return line == null ? "" : line;
        }
    }
}
