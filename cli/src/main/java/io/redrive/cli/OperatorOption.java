package io.redrive.cli;

import io.redrive.events.OperatorCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import picocli.CommandLine.Option;

/** Who acts and from where, for the record of actions. */
final class OperatorOption {

    private static final int LONGEST = 200;

    /** Where Linux tells the host's name: a look-up by address may wait for a name server. */
    private static final Path LINUX_HOST = Path.of("/proc/sys/kernel/hostname");

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

    /** A command of this operator; all its calls are one row in the record of actions. */
    OperatorCommand command(String verb) {
        return new OperatorCommand(verb + "-" + UUID.randomUUID(), name(), origin(), "");
    }

    /** The account that runs this process, which {@code --operator} does not change, and its host. */
    static String origin() {
        return "command line, " + System.getProperty("user.name") + "@" + host();
    }

    private static String host() {
        try {
            return Files.isReadable(LINUX_HOST)
                    ? Files.readString(LINUX_HOST).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return "unknown host";
        }
    }
}
