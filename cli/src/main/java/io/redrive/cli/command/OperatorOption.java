package io.redrive.cli.command;

import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --operator}: the name in the record of actions. */
public final class OperatorOption {

    private static final int LONGEST = 200;

    /** Linux has the host name in this file; a look-up by address may wait for a name server. */
    private static final Path LINUX_HOST = Path.of("/proc/sys/kernel/hostname");

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            description =
                    "Who does it, for the record of actions; you, by default (${sys:user.name}). Not with --server,"
                            + " which knows the owner of the token.")
    private @Nullable String name;

    /** Returns true when the command line names an operator. */
    boolean isGiven() {
        return name != null;
    }

    /**
     * Returns the operator that the option names, with the origin of this process.
     *
     * @throws IllegalArgumentException when the name is blank or too long
     */
    public Operator operator() {
        if (name == null) {
            return account();
        }
        if (name.isBlank() || name.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "--operator must be 1 to " + LONGEST + " characters, got '" + name + "'");
        }
        return new Operator(name, Role.ADMIN, origin());
    }

    /** Returns the account of this process as the operator, for commands without the option. */
    static Operator account() {
        return new Operator(System.getProperty("user.name"), Role.ADMIN, origin());
    }

    /** Returns the account and the host of this process, which {@code --operator} does not change. */
    private static String origin() {
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
