package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Preview;
import io.redrive.operations.RepairCounts;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.RepairOperations;
import io.redrive.operations.RepairPreview;
import java.util.function.LongConsumer;

/** {@link RepairOperations} of a server. */
final class RemoteRepairs implements RepairOperations {

    private final Api api;

    RemoteRepairs(Api api) {
        this.api = api;
    }

    @Override
    public RepairPreview preview(
            LetterSelection selection, RepairExpression expression, int samples, LongConsumer progress) {
        JsonObject body = LetterShapes.body(selection)
                .put("expression", expression.text())
                .put("samples", samples);
        Fields answer = api.post(ApiPath.of("repairs", "preview"), body);
        RepairPreview preview = new RepairPreview(
                LetterShapes.preview(answer.object("letters")),
                answer.number("last_id"),
                counts(answer),
                answer.list("samples", RemoteRepairs::sample),
                answer.list(
                        "failures",
                        failure -> new RepairPreview.Failure(failure.number("letter"), failure.text("reason"))));
        progress.accept(preview.counts().letters());
        return preview;
    }

    private static RepairPreview.Sample sample(Fields fields) {
        return new RepairPreview.Sample(
                fields.number("letter"),
                fields.text("name"),
                fields.text("content_type"),
                fields.utf8("before"),
                fields.utf8("after"));
    }

    static RepairCounts counts(Fields fields) {
        return new RepairCounts(
                fields.number("changed"),
                fields.number("unchanged"),
                fields.number("failing"),
                fields.number("changed_meanwhile"));
    }

    @Override
    public RepairCounts apply(RepairPreview preview, RepairExpression expression, LongConsumer progress) {
        JsonObject body = LetterShapes.body(preview.letters()).put("expression", expression.text());
        return told(counts(api.post(ApiPath.of("repairs"), body)), progress);
    }

    @Override
    public RepairCounts revert(Preview preview, LongConsumer progress) {
        return told(counts(api.post(ApiPath.of("repairs", "revert"), LetterShapes.body(preview))), progress);
    }

    private static RepairCounts told(RepairCounts counts, LongConsumer progress) {
        progress.accept(counts.letters());
        return counts;
    }
}
