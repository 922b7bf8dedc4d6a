package io.redrive.cli.policy;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a policy. Values stay text, because core alone reads settings. */
final class PolicyOptions {

    @Option(names = "--preset", paramLabel = "NAME", description = "Start from a preset (see redrive policy presets).")
    private @Nullable String preset;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Start from a YAML file with the keys of the configuration guide, such as max-attempts.")
    private @Nullable Path file;

    @Option(
            names = "--at",
            paramLabel = "PATH",
            description = "Where in the file the policy is, such as payments.retry (default: at the top).")
    private @Nullable String at;

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            description = "How often the work runs at most, the first time included.")
    private @Nullable String maxAttempts;

    @Option(names = "--backoff", paramLabel = "KIND", description = "none, fixed, linear, exponential or delays.")
    private @Nullable String backoff;

    @Option(
            names = {"--initial", "--initial-delay"},
            paramLabel = "TIME",
            description = "The first delay, such as 250ms, 1.5s or 2m.")
    private @Nullable String initial;

    @Option(
            names = {"--max", "--max-delay"},
            paramLabel = "TIME",
            description = "No delay is longer, before jitter.")
    private @Nullable String max;

    @Option(names = "--multiplier", paramLabel = "X", description = "Growth of exponential backoff, such as 2 or 1.5.")
    private @Nullable String multiplier;

    @Option(names = "--increment", paramLabel = "TIME", description = "Growth of linear backoff.")
    private @Nullable String increment;

    @Option(
            names = "--delays",
            paramLabel = "LIST",
            description = "The delays themselves, such as 1s,5s,30s; the last one repeats.")
    private @Nullable String delays;

    @Option(
            names = "--jitter",
            paramLabel = "KIND",
            description = "none, full, equal, decorrelated, factor:0.2 (or just 0.2), additive:0.2.")
    private @Nullable String jitter;

    @Option(
            names = {"--ttl", "--max-duration"},
            paramLabel = "TIME",
            description = "Total time since the first attempt; a wait that would end later is refused.")
    private @Nullable String ttl;

    /**
     * Returns the settings of the options on top of those of the file or the preset, or else of the {@code RETRY_*} variables.
     *
     * @throws IllegalArgumentException when options contradict each other, or the file cannot be read
     */
    PolicySettings settings(Map<String, String> environment) {
        if (file != null && preset != null) {
            throw new IllegalArgumentException("give either --preset or --file, not both (a file may name a preset)");
        }
        if (file == null && at != null) {
            throw new IllegalArgumentException("--at names a place in a file; give --file too");
        }
        PolicySettings settings = file == null ? new PolicySettings() : PolicyFile.read(file, at);
        settings.option("preset", "--preset", preset);
        settings.option("max-attempts", "--max-attempts", maxAttempts);
        settings.option("backoff", "--backoff", delays != null && backoff == null ? "delays" : backoff);
        settings.option("initial-delay", "--initial", initial);
        settings.option("max-delay", "--max", max);
        settings.option("multiplier", "--multiplier", multiplier);
        settings.option("increment", "--increment", increment);
        settings.option("delays", "--delays", delays);
        settings.option("jitter", "--jitter", jitter);
        settings.option("max-duration", "--ttl", ttl);
        if (file == null) {
            settings.environment(environment);
        }
        return settings;
    }
}
