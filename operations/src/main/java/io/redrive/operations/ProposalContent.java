package io.redrive.operations;

import io.redrive.events.Proposals.StoredProposal;
import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a proposal as JSON, for the store, and reads it back. All values are texts, lists and objects. */
final class ProposalContent {

    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

    private final Map<?, ?> fields;

    private ProposalContent(Map<?, ?> fields) {
        this.fields = fields;
    }

    static String write(Proposal proposal) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("why", proposal.why());
        fields.put("by", proposal.proposer().name());
        fields.put("role", proposal.proposer().role().code());
        fields.put("origin", proposal.proposer().origin());
        fields.put("asked", proposal.asked().toString());
        fields.put("expires", proposal.expires().toString());
        fields.put("verb", proposal.command().verb().code());
        fields.put("letters", IdRanges.write(proposal.command().letters()));
        putCommand(fields, proposal.command());
        putPreview(fields, proposal.preview());
        fields.put("state", proposal.state().code());
        proposal.state().decision().ifPresent(decision -> {
            fields.put("decided-by", decision.by());
            fields.put("decided-origin", decision.origin());
            fields.put("decided-at", decision.at().toString());
            fields.put("decided-text", decision.text());
        });
        return new String(JsonResult.write(fields, PayloadDocument.read(EMPTY)), StandardCharsets.UTF_8);
    }

    private static void putCommand(Map<String, Object> fields, ProposedCommand command) {
        if (command instanceof ProposedCommand.Repair repair) {
            fields.put("selection", repair.selection());
            fields.put("expression", repair.expression());
        } else if (command instanceof ProposedCommand.Redrive redrive) {
            fields.put("selection", redrive.selection());
            fields.put(
                    "stages",
                    redrive.plan().stages().stream().map(String::valueOf).collect(Collectors.joining(",")));
            fields.put("per-second", String.valueOf(redrive.plan().perSecond()));
            fields.put("stage-limit", redrive.plan().stageLimit().toString());
            fields.put("overtaken", redrive.includesOvertaken());
            fields.put("redacted", redrive.includesRedacted());
        } else if (command instanceof ProposedCommand.Resolve resolve) {
            fields.put("fingerprint", resolve.fingerprint());
            resolve.fixedIn().ifPresent(version -> fields.put("fixed-in", version.text()));
        }
    }

    private static void putPreview(Map<String, Object> fields, ProposalPreview preview) {
        fields.put("count", String.valueOf(preview.letters()));
        preview.effect()
                .ifPresent(effect -> fields.put(
                        "effect",
                        List.of(
                                String.valueOf(effect.changed()),
                                String.valueOf(effect.unchanged()),
                                String.valueOf(effect.failing()))));
        fields.put(
                "samples",
                preview.samples().stream()
                        .map(sample -> List.of(
                                String.valueOf(sample.letter()),
                                sample.name(),
                                sample.error(),
                                sample.before(),
                                sample.after()))
                        .toList());
        fields.put("remarks", preview.remarks());
    }

    static Proposal read(StoredProposal stored) {
        Object root = PayloadDocument.read(stored.content().getBytes(StandardCharsets.UTF_8))
                .root();
        ProposalContent content = new ProposalContent((Map<?, ?>) Objects.requireNonNull(root));
        ProposalState state = ProposalState.of(content.text("state"), content.decision());
        return new Proposal(
                stored.number(),
                content.command(),
                content.text("why"),
                new Operator(content.text("by"), Role.of(content.text("role")), content.text("origin")),
                Instant.parse(content.text("asked")),
                Instant.parse(content.text("expires")),
                content.preview(),
                state);
    }

    private ProposalState.Decision decision() {
        String at = text("decided-at");
        return new ProposalState.Decision(
                text("decided-by"),
                text("decided-origin"),
                at.isEmpty() ? Instant.EPOCH : Instant.parse(at),
                text("decided-text"));
    }

    private ProposedCommand command() {
        List<Long> letters = IdRanges.read(text("letters"));
        if (text("verb").equals(Verb.REPAIR.code())) {
            return new ProposedCommand.Repair(letters, text("selection"), text("expression"));
        }
        if (text("verb").equals(Verb.REDRIVE.code())) {
            return new ProposedCommand.Redrive(
                    letters, text("selection"), plan(), isTrue("overtaken"), isTrue("redacted"));
        }
        return new ProposedCommand.Resolve(text("fingerprint"), ServiceVersion.parse(text("fixed-in")));
    }

    private RedrivePlan plan() {
        List<Integer> stages = Arrays.stream(text("stages").split(","))
                .filter(each -> !each.isEmpty())
                .map(Integer::valueOf)
                .toList();
        return new RedrivePlan(
                stages, Double.parseDouble(text("per-second")), Duration.parse(text("stage-limit")), Long.MAX_VALUE);
    }

    private ProposalPreview preview() {
        List<Long> effect =
                texts(fields.get("effect")).stream().map(Long::valueOf).toList();
        return new ProposalPreview(
                Long.parseLong(text("count")),
                effect.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new RepairCounts(effect.get(0), effect.get(1), effect.get(2), 0)),
                list(fields.get("samples")).stream()
                        .map(ProposalContent::texts)
                        .map(sample -> new ProposalPreview.Sample(
                                Long.parseLong(sample.get(0)),
                                sample.get(1),
                                sample.get(2),
                                sample.get(3),
                                sample.get(4)))
                        .toList(),
                texts(fields.get("remarks")));
    }

    private String text(String field) {
        return fields.get(field) instanceof String text ? text : "";
    }

    private boolean isTrue(String field) {
        return Boolean.TRUE.equals(fields.get(field));
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> items ? items : List.of();
    }

    private static List<String> texts(@Nullable Object value) {
        return list(value).stream().map(String::valueOf).toList();
    }
}
