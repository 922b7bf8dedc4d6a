package io.redrive.cli;

import io.redrive.cli.command.HelpOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a completion script, generated from the commands at each call. */
@Command(
        name = "completion",
        description = "Print a script that lets your shell complete commands and options.",
        footerHeading = "%nIn the file that your shell reads at its start:%n",
        footer = {
            "  bash: source <(redrive completion bash)",
            "  zsh:  source <(redrive completion zsh)",
            "  fish: redrive completion fish | source"
        })
final class CompletionCommand implements Runnable {

    @Mixin
    private HelpOption help = new HelpOption();

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private String shell = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine root = spec.parent().commandLine();
        String script = switch (shell) {
            case "bash", "zsh" -> bash(root);
            case "fish" -> fish(root);
            default ->
                throw new ParameterException(
                        spec.commandLine(), "SHELL must be bash, zsh or fish, got '" + shell + "'");
        };
        spec.commandLine().getOut().println(script);
    }

    /** Repairs picocli's script, which looks for commands in all words and mistakes the program's name for {@code dlq redrive}. */
    private static String bash(CommandLine root) {
        return AutoComplete.bash(root.getCommandName(), root)
                .replace("for element in \"${COMP_WORDS[@]}\"", "for element in \"${COMP_WORDS[@]:1}\"");
    }

    private static String fish(CommandLine root) {
        List<String> lines = new ArrayList<>(List.of("complete -c " + root.getCommandName() + " -f"));
        add(lines, root.getCommandName(), root, List.of());
        return String.join("\n", lines);
    }

    private static void add(List<String> lines, String program, CommandLine command, List<String> path) {
        List<String> conditions =
                path.stream().map(word -> "__fish_seen_subcommand_from " + word).collect(Collectors.toList());
        String within = conditions.isEmpty() ? "" : " -n " + quoted(String.join("; and ", conditions));
        for (OptionSpec option : command.getCommandSpec().options()) {
            String name = option.longestName();
            if (name.startsWith("--") && !option.hidden()) {
                String value = option.arity().max() > 0 ? " -rF" : "";
                lines.add("complete -c " + program + within + " -l " + name.substring(2) + value + " -d "
                        + quoted(first(option.description())));
            }
        }
        if (!command.getSubcommands().isEmpty()) {
            conditions.add("not __fish_seen_subcommand_from "
                    + String.join(" ", command.getSubcommands().keySet()));
        }
        command.getSubcommands().forEach((name, inner) -> {
            lines.add("complete -c " + program + " -n " + quoted(String.join("; and ", conditions)) + " -a " + name
                    + " -d "
                    + quoted(first(inner.getCommandSpec().usageMessage().description())));
            List<String> deeper = new ArrayList<>(path);
            deeper.add(name);
            add(lines, program, inner, deeper);
        });
    }

    private static String first(String[] description) {
        return description.length == 0
                ? ""
                : description[0]
                        .replaceFirst(" [(]default.*", "")
                        .replaceAll("\\$\\{[^}]*}", "")
                        .replaceFirst("[.:] .*", "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
