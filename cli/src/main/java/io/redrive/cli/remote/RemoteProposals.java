package io.redrive.cli.remote;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.JsonObject;
import io.redrive.core.DurationText;
import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.ProposalPreview;
import io.redrive.operations.ProposalRefusedException;
import io.redrive.operations.ProposalState;
import io.redrive.operations.ProposedCommand;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@link ProposalOperations} of a server: to look and to decide. No command makes a proposal. */
final class RemoteProposals implements ProposalOperations {

    private final Api api;

    RemoteProposals(Api api) {
        this.api = api;
    }

    @Override
    public Proposal repair(LetterSelection letters, RepairExpression expression, String why) {
        throw notHere();
    }

    @Override
    public Proposal redrive(LetterSelection letters, RedrivePlan plan, String why) {
        throw notHere();
    }

    @Override
    public Proposal resolve(String fingerprint, Optional<ServiceVersion> fixedIn, String why) {
        throw notHere();
    }

    private static CommandFailed notHere() {
        return new CommandFailed(
                "no command makes proposals; assistants use the tools of the server, programs POST /api/v1/proposals");
    }

    @Override
    public Optional<Proposal> find(long number) {
        return api.find(ApiPath.of("proposals", number)).map(RemoteProposals::proposal);
    }

    @Override
    public List<Proposal> list(boolean openOnly, long before, int limit) {
        ApiPath path = ApiPath.of("proposals").with("open", openOnly).with("limit", limit);
        return api.get(before == Long.MAX_VALUE ? path : path.with("cursor", before))
                .list("items", RemoteProposals::proposal);
    }

    @Override
    public Proposal approve(long number) {
        return change(number, "approve", new JsonObject());
    }

    @Override
    public Proposal reject(long number, String reason) {
        return change(number, "reject", new JsonObject().put("reason", reason));
    }

    @Override
    public Proposal withdraw(long number, String reason) {
        return change(number, "withdraw", new JsonObject().put("reason", reason));
    }

    private Proposal change(long number, String verb, JsonObject body) {
        return api.change("POST", ApiPath.of("proposals", number, verb), body)
                .map(RemoteProposals::proposal)
                .orElseThrow(() -> ProposalRefusedException.missing(number));
    }

    private static Proposal proposal(Fields fields) {
        return new Proposal(
                fields.number("number"),
                command(fields.text("verb"), fields.object("command")),
                fields.text("why"),
                new Operator(
                        fields.text("proposer"),
                        fields.text("proposer_role", Role::of),
                        fields.text("proposer_origin")),
                fields.time("asked"),
                fields.time("expires"),
                new ProposalPreview(
                        fields.number("letters"),
                        fields.optionalObject("effect").map(RemoteRepairs::counts),
                        fields.list("samples", RemoteProposals::sample),
                        fields.texts("remarks")),
                fields.text("state", code -> ProposalState.of(code, decision(fields))));
    }

    private static ProposalState.Decision decision(Fields fields) {
        return new ProposalState.Decision(
                fields.optional("decided_by").orElse(""),
                fields.optional("decided_from").orElse(""),
                fields.optionalTime("decided_at").orElse(Instant.EPOCH),
                fields.optional("outcome").orElse(""));
    }

    private static ProposalPreview.Sample sample(Fields fields) {
        return new ProposalPreview.Sample(
                fields.number("letter"),
                fields.text("name"),
                fields.text("error"),
                fields.text("before"),
                fields.text("after"));
    }

    private static ProposedCommand command(String verb, Fields fields) {
        return switch (verb) {
            case "repair" ->
                new ProposedCommand.Repair(fields.numbers("ids"), fields.text("selection"), fields.text("expression"));
            case "redrive" ->
                new ProposedCommand.Redrive(
                        fields.numbers("ids"),
                        fields.text("selection"),
                        new RedrivePlan(
                                fields.numbers("stages").stream()
                                        .map(Long::intValue)
                                        .toList(),
                                fields.decimal("per_second"),
                                fields.text("stage_limit", DurationText::parse),
                                Long.MAX_VALUE),
                        fields.isTrue("include_overtaken"),
                        fields.isTrue("include_redacted"));
            case "resolve" ->
                new ProposedCommand.Resolve(
                        fields.text("fingerprint"), fields.optional("fixed_in", ServiceVersion::new));
            default -> throw new UnreadableAnswerException("a proposal has the verb " + verb);
        };
    }
}
