package io.redrive.cli;

import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.StageAttempt;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Option;

/** Which dead samples. */
final class DeadOptions {

    @Option(names = "--stage", paramLabel = "NAME", description = "Only those that died at this stage.")
    private String stage;

    @Option(names = "--error", paramLabel = "TYPE", description = "Only those that died of this, such as http_500.")
    private String error;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Only those that died since then: 2h, 2026-03-01, or an ISO time.")
    private String since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Only those that died before then.")
    private String until;

    /** Refuses a stage that the run does not have: no sample can have died there, and the name is a slip. */
    void requireStageOf(RunRecord run) {
        List<String> stages = run.definition().stages();
        if (stage != null && !stages.contains(stage) && !stage.equals(StageAttempt.SOURCE)) {
            throw new IllegalArgumentException("--stage must be one of run '" + run.id() + "', which has "
                    + String.join(", ", stages) + " and " + StageAttempt.SOURCE + "; got '" + stage + "'");
        }
    }

    DeadFilter narrowed(DeadFilter filter, Instant now) {
        DeadFilter narrowed = stage == null ? filter : filter.atStage(stage);
        narrowed = error == null ? narrowed : narrowed.withErrorType(error);
        narrowed = since == null ? narrowed : narrowed.since(LetterOptions.moment("--since", since, now));
        return until == null ? narrowed : narrowed.until(LetterOptions.moment("--until", until, now));
    }
}
