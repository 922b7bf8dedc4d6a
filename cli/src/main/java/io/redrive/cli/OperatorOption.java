package io.redrive.cli;

import picocli.CommandLine.Option;

/** Who acts, for the record of actions. */
final class OperatorOption {

    private static final int LONGEST = 200;

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who does it, for the record of actions; you, by default (${DEFAULT-VALUE}).")
    private String name;

    String name() {
        if (name == null || name.isBlank() || name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "--operator must be 1 to " + LONGEST + " characters, got '" + name + "'");
        }
        return name;
    }
}
