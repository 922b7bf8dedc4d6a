package io.redrive.cli.runs;

import io.redrive.pipelinefiles.Selection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the selection of samples. */
final class SelectionOptions {

    @Option(names = "--limit", paramLabel = "N", description = "Take at most so many samples.")
    private @Nullable Long limit;

    @Option(
            names = "--sample",
            paramLabel = "SHARE",
            description =
                    "Take about this share of the samples, drawn at random, such as 5%%; the same samples each time.")
    private @Nullable String sample;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draw other samples than without it; needs --sample. A whole number.")
    private @Nullable Long seed;

    Selection selection() {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        if (seed != null && sample == null) {
            throw new IllegalArgumentException("--seed must come with --sample, got --seed " + seed + " alone");
        }
        return new Selection(limit == null ? 0 : limit, sample == null ? 1 : share(sample), seed == null ? 0 : seed);
    }

    private static double share(String text) {
        try {
            return Selection.share(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--sample " + e.getMessage(), e);
        }
    }

    /** Returns the options that select the same samples, for messages; empty for all samples. */
    static String text(Selection selection) {
        String share = selection.share() == 1
                ? ""
                : " --sample " + selection.share() + (selection.seed() == 0 ? "" : " --seed " + selection.seed());
        return ((selection.limit() == 0 ? "" : " --limit " + selection.limit()) + share).strip();
    }
}
