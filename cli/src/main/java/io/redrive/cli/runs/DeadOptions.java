package io.redrive.cli.runs;

import io.redrive.cli.command.PeriodOptions;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.StageAttempt;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the selection of dead samples. */
final class DeadOptions {

    @Option(names = "--stage", paramLabel = "NAME", description = "Only those that died at this stage.")
    private @Nullable String stage;

    @Option(names = "--error", paramLabel = "TYPE", description = "Only those that died of this, such as http_500.")
    private @Nullable String error;

    @Mixin
    private PeriodOptions period = new PeriodOptions();

    /**
     * Refuses a stage that the run does not have: no sample can have died there, and the name is a typing mistake.
     *
     * @throws IllegalArgumentException when the run has no such stage
     */
    void requireStageOf(RunRecord run) {
        List<String> stages = run.definition().stages();
        if (stage != null && !stages.contains(stage) && !stage.equals(StageAttempt.SOURCE)) {
            throw new IllegalArgumentException("--stage must be one of run '" + run.id() + "', which has "
                    + String.join(", ", stages) + " and " + StageAttempt.SOURCE + "; got '" + stage + "'");
        }
    }

    /** Returns the filter with the conditions of these options added. */
    DeadFilter narrowed(DeadFilter filter, Instant now) {
        DeadFilter narrowed = stage == null ? filter : filter.atStage(stage);
        narrowed = error == null ? narrowed : narrowed.withErrorType(error);
        narrowed = period.since(now).map(narrowed::since).orElse(narrowed);
        return period.until(now).map(narrowed::until).orElse(narrowed);
    }
}
