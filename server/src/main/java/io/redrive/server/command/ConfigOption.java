package io.redrive.server.command;

import io.redrive.server.config.ConfigFile;
import io.redrive.server.config.ServerConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names the configuration file. */
final class ConfigOption {

    private static final String VARIABLE = "REDRIVE_CONFIG";
    private static final Path USUAL = Path.of("redrive.yml");

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The configuration file. REDRIVE_CONFIG in the environment when not given, or else redrive.yml in the"
                            + " current folder if there is one.")
    private @Nullable Path file;

    /** Returns the file; empty when there is none, and defaults hold. */
    Optional<Path> file(Map<String, String> variables) {
        if (file != null) {
            return Optional.of(file);
        }
        String named = variables.getOrDefault(VARIABLE, "");
        return named.isBlank() ? Optional.of(USUAL).filter(Files::exists) : Optional.of(Path.of(named));
    }

    /** Reads the configuration, unchecked. */
    ServerConfiguration read(Map<String, String> variables) {
        ConfigFile read = file(variables).map(ConfigFile::read).orElseGet(ConfigFile::none);
        return ServerConfiguration.of(read, variables);
    }
}
