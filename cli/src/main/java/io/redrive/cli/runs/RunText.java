package io.redrive.cli.runs;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.JsonObject;
import io.redrive.core.DurationText;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.operations.RunOperations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Runs and samples as text and as JSON. */
final class RunText {

    private static final int ROUGHLY_FROM_SECONDS = 60;

    private RunText() {}

    /**
     * Returns the run with this id.
     *
     * @throws CommandFailed when the store has no such run
     */
    static RunRecord find(RunOperations runs, String id) {
        return runs.find(id)
                .orElseThrow(
                        () -> new CommandFailed("there is no run '" + id + "' in this store; see: redrive runs list"));
    }

    /** Returns true when a stage gave up a sample of this run; a dead sample that could not be read has no value for a stage. */
    static boolean hasDeadToRevive(RunOperations runs, RunRecord run) {
        return run.definition().stages().stream()
                .anyMatch(stage ->
                        !runs.dead(DeadFilter.ofRun(run.id()).atStage(stage), 1).isEmpty());
    }

    static JsonObject json(RunRecord run) {
        Balance balance = run.balance();
        return new JsonObject()
                .put("run", run.id())
                .put("pipeline", run.pipeline())
                .put("stages", run.definition().stages())
                .put("status", run.status().code())
                .put("in", balance.in())
                .put("succeeded", balance.succeeded())
                .put("skipped", balance.skipped())
                .put("dead", balance.dead())
                .put("not_started", balance.notStarted())
                .put("begun", balance.begun())
                .put("workers", run.workers())
                .put("created", run.created())
                .put("updated", run.updated())
                .put("ended", run.ended())
                .put("worked_ms", run.worked().toMillis());
    }

    static JsonObject json(StageAttempt attempt) {
        return new JsonObject()
                .put("stage", attempt.stage())
                .put("stage_config_hash", attempt.configHash())
                .put("attempt", attempt.attempt())
                .put("status", attempt.status().code())
                .put("error_type", attempt.errorType())
                .put("message", attempt.message())
                .put("delay_ms", attempt.delay().toMillis())
                .put("duration_ms", attempt.duration().toNanos() / 1e6)
                .put("at", attempt.at());
    }

    static JsonObject json(DeadSample dead) {
        return new JsonObject()
                .put("run", dead.run())
                .put("sample", dead.sample().id())
                .put("ordinal", dead.sample().ordinal())
                .put("stage", dead.stage())
                .put("reason", dead.death().reason().code())
                .put("error_type", dead.death().errorType())
                .put("message", dead.death().message())
                .put("attempts", dead.sample().progress().failed())
                .put("at", dead.death().at())
                .put("payload", payload(dead.sample()));
    }

    /** The payload as text; null for a sample without one. */
    static @Nullable String payload(SampleRecord sample) {
        return sample.hasBytes() ? new String(sample.bytes(), StandardCharsets.UTF_8) : null;
    }

    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Returns how long processes worked on the run, rounded. */
    static String took(RunRecord run) {
        Duration length = run.worked();
        long step = length.toSeconds() >= ROUGHLY_FROM_SECONDS ? 1_000 : 100;
        return DurationText.format(Duration.ofMillis(length.toMillis() / step * step));
    }
}
