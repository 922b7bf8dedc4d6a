package io.redrive.cli;

import io.redrive.items.DeadFilter;
import picocli.CommandLine.Option;

/** Which dead samples. */
final class DeadOptions {

    @Option(names = "--stage", paramLabel = "NAME", description = "Only those that died at this stage.")
    private String stage;

    @Option(names = "--error", paramLabel = "TYPE", description = "Only those that died of this, such as http_500.")
    private String error;

    DeadFilter narrowed(DeadFilter filter) {
        DeadFilter narrowed = stage == null ? filter : filter.atStage(stage);
        return error == null ? narrowed : narrowed.withErrorType(error);
    }
}
