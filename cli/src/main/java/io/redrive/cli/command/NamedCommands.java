package io.redrive.cli.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * The commands below a command, by name and in the order of the help. A command line gets all of them only when its words name
 * none: the parser needs milliseconds for the options of each command, which every user of another command would wait for.
 */
public final class NamedCommands {

    private final Map<String, GroupMaker> makers = new LinkedHashMap<>();

    /** Makes a command without commands below. */
    @FunctionalInterface
    public interface Maker {

        /** Returns a new command, an object with the annotations of the parser. */
        Object in(Context context);
    }

    /** Makes a command with commands below. */
    @FunctionalInterface
    public interface GroupMaker {

        /** Returns a new group, for a command line whose words after the name of the group are {@code words}. */
        CommandLine in(Context context, List<String> words);
    }

    /** Adds a command. */
    public NamedCommands with(String name, Maker maker) {
        return withGroup(name, (context, words) -> new CommandLine(maker.in(context)));
    }

    /** Adds a group of commands. */
    public NamedCommands withGroup(String name, GroupMaker maker) {
        makers.put(name, maker);
        return this;
    }

    /** Returns true when the first of {@code words} is the name of a command. */
    public boolean hasFirstOf(List<String> words) {
        return !words.isEmpty() && makers.containsKey(words.get(0));
    }

    /**
     * Returns the command line of {@code parent} with the command that the first of {@code words} names. With all commands when
     * the first word names none: help, completion and suggestions show them all.
     */
    public CommandLine below(Object parent, Context context, List<String> words) {
        CommandLine line = new CommandLine(parent);
        boolean one = hasFirstOf(words);
        List<String> next = one ? words.subList(1, words.size()) : List.of();
        makers.forEach((name, maker) -> {
            if (!one || name.equals(words.get(0))) {
                line.addSubcommand(name, maker.in(context, next));
            }
        });
        return line;
    }
}
