package io.redrive.cli;

import io.redrive.pipelinefiles.Selection;
import picocli.CommandLine.Option;

/** Which samples of the input a run takes. */
final class SelectionOptions {

    @Option(names = "--limit", paramLabel = "N", description = "Take at most so many samples.")
    private Long limit;

    @Option(
            names = "--sample",
            paramLabel = "SHARE",
            description =
                    "Take about this share of the samples, drawn at random, such as 5%%; the same samples each time.")
    private String sample;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Draw other samples than without it; needs --sample. A whole number.")
    private Long seed;

    Selection selection() {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        if (seed != null && sample == null) {
            throw new IllegalArgumentException("--seed must come with --sample, got --seed " + seed + " alone");
        }
        return new Selection(
                limit == null ? 0 : limit, sample == null ? 1 : Selection.share(sample), seed == null ? 0 : seed);
    }
}
