package io.redrive.cli.dlq;

import io.redrive.events.OperatorCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --operator}: the name in the record of actions. */
final class OperatorOption {

    private static final int LONGEST = 200;

    /** Linux has the host name in this file; a look-up by address may wait for a name server. */
    private static final Path LINUX_HOST = Path.of("/proc/sys/kernel/hostname");

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who does it, for the record of actions; you, by default (${DEFAULT-VALUE}).")
    private @Nullable String name;

    String name() {
        if (name == null || name.isBlank() || name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "--operator must be 1 to " + LONGEST + " characters, got '" + name + "'");
        }
        return name;
    }

    /** Returns a command of this operator; all changes under this command are one row in the record of actions. */
    OperatorCommand command(String verb) {
        return new OperatorCommand(verb + "-" + UUID.randomUUID(), name(), origin(), "");
    }

    /** Returns the account and the host of this process, which {@code --operator} does not change. */
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
