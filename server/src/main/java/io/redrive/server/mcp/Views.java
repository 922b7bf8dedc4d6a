package io.redrive.server.mcp;

import io.redrive.events.DeadLetter;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.cause.Cause;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.CauseView;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.NameDifferences;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalPreview;
import io.redrive.operations.ProposalState.Decision;
import io.redrive.operations.difference.Difference;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects of the store as maps, for assistants: few members, each with a name that says what it is. */
final class Views {

    private Views() {}

    /** Returns a map of names and values, in order. */
    static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return map;
    }

    static Map<String, Object> cause(CauseView view) {
        Cause cause = view.cause();
        return map(
                "fingerprint", cause.fingerprint(),
                "status", view.status().code(),
                "dead_letters", view.letters(),
                "error_type", cause.errorType(),
                "example", cause.example(),
                "names", cause.names(),
                "first_seen", cause.firstSeen(),
                "last_seen", cause.lastSeen(),
                "owner", cause.care().owner(),
                "note", cause.care().note(),
                "ticket", cause.care().ticket());
    }

    static Map<String, Object> letter(DeadLetter letter) {
        return map(
                "letter", letter.id(),
                "name", letter.event().name(),
                "event_id", letter.event().id(),
                "reason", letter.reason().code(),
                "error_type", letter.errorType(),
                "last_error", letter.lastError(),
                "fingerprint", letter.fingerprint(),
                "attempts", letter.attempts().failed(),
                "redrives", letter.redrives(),
                "edited", letter.originalPayload().isPresent(),
                "dead_at", letter.deadAt());
    }

    static Map<String, Object> wholeLetter(DeadLetter letter) {
        Map<String, Object> whole = letter(letter);
        whole.put("source", letter.event().source());
        whole.put("correlation_id", letter.event().correlationId());
        whole.put("ordering_key", letter.event().orderingKey());
        whole.put("service", letter.service());
        whole.put("headers", letter.event().headers());
        whole.put("content_type", letter.event().contentType());
        whole.put("payload", new String(letter.event().payload(), StandardCharsets.UTF_8));
        whole.put(
                "history",
                letter.history().stream()
                        .map(attempt -> map(
                                "attempt", attempt.number(),
                                "at", attempt.at(),
                                "node", attempt.node(),
                                "duration_ms", attempt.duration().toMillis(),
                                "error_type", attempt.errorType(),
                                "message", attempt.message(),
                                "decision", attempt.decision(),
                                "why", attempt.why()))
                        .toList());
        return whole;
    }

    static Map<String, Object> differences(NameDifferences differences) {
        return map(
                "name", differences.name(),
                "letters", differences.letters(),
                "handled_events", differences.handled(),
                "enough_to_judge", differences.enough(),
                "differences",
                        differences.differences().stream()
                                .map(Difference::sentence)
                                .toList());
    }

    static Map<String, Object> found(FoundEvent event) {
        Map<String, Object> found = map(
                "event_id", event.id(),
                "name", event.name(),
                "state", event.state(),
                "source", event.source(),
                "correlation_id", event.correlationId(),
                "ordering_key", event.orderingKey(),
                "created", event.created());
        if (event instanceof FoundEvent.Waits waits) {
            found.put("why", waits.why());
        } else if (event instanceof FoundEvent.Died died) {
            found.put("letter", died.letter().id());
            found.put("last_error", died.letter().lastError());
        }
        return found;
    }

    static Map<String, Object> totals(ActivityTotals totals) {
        ActivityCounts counts = totals.counts();
        return map(
                "published", counts.published(),
                "duplicates", counts.duplicates(),
                "done", counts.done(),
                "retried", counts.retried(),
                "dead", counts.dead(),
                "handler_p50_ms", millis(totals.handlerTime(), 0.5),
                "handler_p99_ms", millis(totals.handlerTime(), 0.99),
                "latency_p99_ms", millis(totals.latency(), 0.99));
    }

    private static double millis(DurationHistogram histogram, double share) {
        return histogram.percentile(share).toNanos() / 1_000_000.0;
    }

    static Map<String, Object> run(RunRecord run) {
        return map(
                "run", run.id(),
                "pipeline", run.pipeline(),
                "status", run.status().code(),
                "in", run.balance().in(),
                "succeeded", run.balance().succeeded(),
                "skipped", run.balance().skipped(),
                "dead", run.balance().dead(),
                "not_started", run.balance().notStarted(),
                "created", run.created(),
                "ended", run.endedAt());
    }

    static Map<String, Object> proposal(Proposal proposal) {
        ProposalPreview preview = proposal.preview();
        return map(
                "proposal", proposal.number(),
                "state", proposal.state().code(),
                "command", proposal.command().describe(),
                "why", proposal.why(),
                "proposer", proposal.proposer().name(),
                "asked", proposal.asked(),
                "expires", proposal.expires(),
                "decided_by", proposal.state().decision().map(Decision::by),
                "outcome", proposal.state().decision().map(Decision::text),
                "letters", preview.letters(),
                "effect", preview.effect(),
                "remarks", preview.remarks(),
                "samples",
                        preview.samples().stream()
                                .map(sample -> map(
                                        "letter", sample.letter(),
                                        "name", sample.name(),
                                        "error", sample.error(),
                                        "before", sample.before(),
                                        "after", sample.after()))
                                .toList());
    }
}
