package io.redrive.server.http;

import io.redrive.operations.LetterSelection;
import io.redrive.operations.RepairCounts;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.RepairPreview;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Repairs of the payloads of many letters. */
@RestController
class RepairResource {

    private static final int SAMPLES = 3;

    private final CallerOperations operations;

    RepairResource(CallerOperations operations) {
        this.operations = operations;
    }

    @PostMapping("/api/v1/repairs/preview")
    Map<String, Object> preview(HttpServletRequest request, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        LetterSelection letters = LetterFilters.selection(body);
        RepairExpression expression =
                Query.read("expression", body.requiredText("expression"), RepairExpression::compile);
        int samples = body.integer("samples").orElse(SAMPLES);
        body.done();
        RepairPreview preview = operations.of(request).repairs().preview(letters, expression, samples, done -> {});
        return counts(preview.counts())
                .put("letters", LetterFilters.view(preview.letters()))
                .put("last_id", preview.lastId())
                .put(
                        "samples",
                        preview.samples().stream().map(RepairResource::sample).toList())
                .put(
                        "failures",
                        preview.failures().stream()
                                .map(failure -> new Answer()
                                        .put("letter", failure.letter())
                                        .put("reason", failure.reason()))
                                .toList())
                .done();
    }

    private static Answer sample(RepairPreview.Sample sample) {
        return new Answer()
                .put("letter", sample.letter())
                .put("name", sample.name())
                .put("content_type", sample.contentType())
                .put("before", new String(sample.before(), StandardCharsets.UTF_8))
                .put("after", new String(sample.after(), StandardCharsets.UTF_8));
    }

    static Answer counts(RepairCounts counts) {
        return new Answer()
                .put("changed", counts.changed())
                .put("unchanged", counts.unchanged())
                .put("failing", counts.failing())
                .put("changed_meanwhile", counts.changedMeanwhile());
    }

    /** Previews and applies in one request: letters that die meanwhile stay as they are. */
    @PostMapping("/api/v1/repairs")
    Map<String, Object> apply(HttpServletRequest request, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        LetterSelection letters = LetterFilters.selection(body);
        RepairExpression expression =
                Query.read("expression", body.requiredText("expression"), RepairExpression::compile);
        body.done();
        var repairs = operations.of(request).repairs();
        RepairPreview preview = repairs.preview(letters, expression, 0, done -> {});
        return counts(repairs.apply(preview, expression, done -> {})).done();
    }

    @PostMapping("/api/v1/repairs/revert")
    Map<String, Object> revert(HttpServletRequest request, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        LetterSelection letters = LetterFilters.selection(body);
        body.done();
        var all = operations.of(request);
        return counts(all.repairs().revert(all.letters().preview(letters), done -> {}))
                .done();
    }
}
