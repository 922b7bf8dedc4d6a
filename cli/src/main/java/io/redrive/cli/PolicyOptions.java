package io.redrive.cli;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that describe a policy. Their values stay text: {@link PolicySettings} hands them to core to be read. */
final class PolicyOptions {

    @Option(names = "--preset", paramLabel = "NAME", description = "Start from a preset (see redrive policy presets).")
    private String preset;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Start from a YAML file with the keys of the configuration guide, such as max-attempts.")
    private Path file;

    @Option(
            names = "--at",
            paramLabel = "PATH",
            description = "Where in the file the policy is, such as payments.retry (default: at the top).")
    private String at;

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            description = "How often the work runs at most, the first time included.")
    private String maxAttempts;

    @Option(names = "--backoff", paramLabel = "KIND", description = "none, fixed, linear, exponential or delays.")
    private String backoff;

    @Option(
            names = {"--initial", "--initial-delay"},
            paramLabel = "TIME",
            description = "The first delay, such as 250ms, 1.5s or 2m.")
    private String initial;

    @Option(
            names = {"--max", "--max-delay"},
            paramLabel = "TIME",
            description = "No delay is longer, before jitter.")
    private String max;

    @Option(names = "--multiplier", paramLabel = "X", description = "Growth of exponential backoff, such as 2 or 1.5.")
    private String multiplier;

    @Option(names = "--increment", paramLabel = "TIME", description = "Growth of linear backoff.")
    private String increment;

    @Option(
            names = "--delays",
            paramLabel = "LIST",
            description = "The delays themselves, such as 1s,5s,30s; the last one repeats.")
    private String delays;

    @Option(
            names = "--jitter",
            paramLabel = "KIND",
            description = "none, full, equal, decorrelated, factor:0.2 (or just 0.2), additive:0.2.")
    private String jitter;

    @Option(
            names = {"--ttl", "--max-duration"},
            paramLabel = "TIME",
            description = "Total time since the first attempt; a wait that would end later is refused.")
    private String ttl;

    /**
     * What the options say, on top of the file or the preset, or else of the {@code RETRY_*} variables. A mistake is an
     * {@link IllegalArgumentException}.
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
