package io.redrive.cli.remote;

import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveCauses;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePace;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTimes;
import io.redrive.events.RedrivenLetter;
import java.time.Instant;
import java.util.Set;

/** Redrive operations as the API has them. */
final class RedriveShapes {

    private RedriveShapes() {}

    /** Reads an operation. The pace between two turns of a node is not in the API: only the stage is. */
    static RedriveOperation operation(Fields fields) {
        return new RedriveOperation(
                new OperatorCommand(
                        fields.text("id"), fields.text("operator"), fields.text("origin"), fields.text("letters")),
                plan(fields),
                state(fields),
                new RedriveCounts(
                        fields.number("selected"),
                        fields.number("redriven"),
                        fields.number("done"),
                        fields.number("dead_again"),
                        fields.number("gone")),
                new RedriveCauses(fields.counts("causes"), fields.counts("returned")),
                new RedrivePace(
                        fields.integer("stage") - 1,
                        0,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        RedrivePace.FIRST,
                        RedrivePace.FIRST),
                new RedriveTimes(
                        fields.time("created"),
                        fields.optionalTime("started"),
                        fields.optionalTime("ended"),
                        fields.time("changed")),
                fields.text("runner"));
    }

    private static RedriveState state(Fields fields) {
        return fields.text(
                "state",
                code -> RedriveState.of(
                        code, fields.optional("why").orElse(""), Set.copyOf(fields.texts("fingerprints"))));
    }

    private static RedrivePlan plan(Fields fields) {
        return new RedrivePlan(
                fields.numbers("stages").stream().map(Long::intValue).toList(),
                fields.decimal("per_second"),
                fields.millis("stage_limit_ms"),
                Long.MAX_VALUE);
    }

    static RedrivenLetter letter(Fields fields) {
        return new RedrivenLetter(
                fields.number("letter"),
                fields.text("event_id"),
                fields.constant("result", RedrivenLetter.Result.class),
                fields.text("fingerprint"));
    }
}
