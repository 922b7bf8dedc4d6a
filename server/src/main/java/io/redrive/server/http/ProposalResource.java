package io.redrive.server.http;

import io.redrive.core.DurationText;
import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.ProposalPreview;
import io.redrive.operations.ProposedCommand;
import io.redrive.operations.RepairExpression;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Proposals: commands that wait for the decision of a person. Assistants ask for proposals here or with their own tools. */
@RestController
class ProposalResource {

    private final CallerOperations operations;

    ProposalResource(CallerOperations operations) {
        this.operations = operations;
    }

    private ProposalOperations proposals(HttpServletRequest request) {
        return operations.of(request).proposals();
    }

    @GetMapping("/api/v1/proposals")
    Map<String, Object> list(HttpServletRequest request) {
        Query query = Query.of(request, "open", "limit", "cursor");
        int limit = operations.limit(query);
        return Answer.page(
                proposals(request).list(query.isTrue("open"), query.cursor(Long.MAX_VALUE), limit),
                limit,
                proposal -> view(proposal).done(),
                Proposal::number);
    }

    /** Makes a proposal: {@code verb} says which, and the other fields are those of the command itself. */
    @PostMapping("/api/v1/proposals")
    Map<String, Object> propose(HttpServletRequest request, @RequestBody byte[] bytes) {
        Query.of(request);
        Body body = Body.object(bytes);
        String verb = body.requiredText("verb");
        String why = body.requiredText("why");
        ProposalOperations proposals = proposals(request);
        Supplier<Proposal> asked = switch (verb) {
            case "repair" -> {
                LetterSelection letters = LetterFilters.selection(body);
                RepairExpression expression =
                        Query.read("expression", body.requiredText("expression"), RepairExpression::compile);
                yield () -> proposals.repair(letters, expression, why);
            }
            case "redrive" -> {
                LetterSelection letters = LetterFilters.redriveSelection(body);
                RedrivePlan plan = RedriveResource.plan(body);
                yield () -> proposals.redrive(letters, plan, why);
            }
            case "resolve" -> {
                String fingerprint = body.requiredText("fingerprint");
                Optional<ServiceVersion> fixedIn = body.value("fixed_in", CauseResource::version);
                yield () -> proposals.resolve(fingerprint, fixedIn, why);
            }
            default -> throw Problem.wrong("verb", verb, "must be repair, redrive or resolve");
        };
        body.done();
        return view(asked.get()).done();
    }

    @GetMapping("/api/v1/proposals/{number}")
    Map<String, Object> find(HttpServletRequest request, @PathVariable long number) {
        Query.of(request);
        return view(proposals(request)
                        .find(number)
                        .orElseThrow(() -> Problem.missing("proposal", String.valueOf(number))))
                .done();
    }

    @PostMapping("/api/v1/proposals/{number}/approve")
    Map<String, Object> approve(HttpServletRequest request, @PathVariable long number) {
        Query.of(request);
        return view(proposals(request).approve(number)).done();
    }

    @PostMapping("/api/v1/proposals/{number}/reject")
    Map<String, Object> reject(HttpServletRequest request, @PathVariable long number, @RequestBody byte[] bytes) {
        Query.of(request);
        return view(proposals(request).reject(number, reason(bytes))).done();
    }

    @PostMapping("/api/v1/proposals/{number}/withdraw")
    Map<String, Object> withdraw(HttpServletRequest request, @PathVariable long number, @RequestBody byte[] bytes) {
        Query.of(request);
        return view(proposals(request).withdraw(number, reason(bytes))).done();
    }

    private static String reason(byte[] bytes) {
        Body body = Body.object(bytes);
        String reason = body.text("reason").orElse("");
        body.done();
        return reason;
    }

    private static Answer view(Proposal proposal) {
        ProposalPreview preview = proposal.preview();
        Answer answer = new Answer()
                .put("number", proposal.number())
                .put("state", proposal.state().code())
                .put("verb", proposal.command().verb().code())
                .put("describe", proposal.command().describe())
                .put("command", command(proposal.command()))
                .put("why", proposal.why())
                .put("proposer", proposal.proposer().name())
                .put("proposer_role", proposal.proposer().role().code())
                .put("proposer_origin", proposal.proposer().origin())
                .put("asked", proposal.asked())
                .put("expires", proposal.expires())
                .put("letters", preview.letters())
                .put("effect", preview.effect().map(RepairResource::counts))
                .put(
                        "samples",
                        preview.samples().stream().map(ProposalResource::sample).toList())
                .put("remarks", preview.remarks());
        proposal.state()
                .decision()
                .ifPresent(decision -> answer.put("decided_by", decision.by())
                        .put("decided_from", decision.origin())
                        .put("decided_at", decision.at())
                        .put("outcome", decision.text()));
        return answer;
    }

    private static Answer sample(ProposalPreview.Sample sample) {
        return new Answer()
                .put("letter", sample.letter())
                .put("name", sample.name())
                .put("error", sample.error())
                .put("before", sample.before())
                .put("after", sample.after());
    }

    private static Answer command(ProposedCommand command) {
        if (command instanceof ProposedCommand.Repair repair) {
            return new Answer()
                    .put("ids", repair.letters())
                    .put("selection", repair.selection())
                    .put("expression", repair.expression());
        }
        if (command instanceof ProposedCommand.Redrive redrive) {
            RedrivePlan plan = redrive.plan();
            return new Answer()
                    .put("ids", redrive.letters())
                    .put("selection", redrive.selection())
                    .put("stages", plan.stages())
                    .put("per_second", plan.perSecond())
                    .put("stage_limit", DurationText.format(plan.stageLimit()))
                    .put("include_overtaken", redrive.includesOvertaken())
                    .put("include_redacted", redrive.includesRedacted());
        }
        ProposedCommand.Resolve resolve = (ProposedCommand.Resolve) command;
        return new Answer().put("fingerprint", resolve.fingerprint()).put("fixed_in", resolve.fixedIn());
    }
}
