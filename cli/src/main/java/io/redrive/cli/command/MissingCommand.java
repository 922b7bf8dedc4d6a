package io.redrive.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A command group was called without one of its commands; the user sees the group's help. */
public final class MissingCommand extends ParameterException {

    private static final long serialVersionUID = 1L;

    public MissingCommand(CommandLine group) {
        super(group, "a command is missing");
    }
}
