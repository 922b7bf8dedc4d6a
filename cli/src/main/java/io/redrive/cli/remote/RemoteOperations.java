package io.redrive.cli.remote;

import io.redrive.cli.command.Credentials;
import io.redrive.core.Time;
import io.redrive.events.ActionFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.ActivityOperations;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.EventFinder;
import io.redrive.operations.EventOperations;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.PauseOperations;
import io.redrive.operations.PolicyOperations;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.RedriveOperations;
import io.redrive.operations.RepairOperations;
import io.redrive.operations.Role;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RunOperations;
import io.redrive.operations.TokenOperations;
import io.redrive.operations.flow.Flows;
import io.redrive.pipeline.ChosenSize;
import io.redrive.pipeline.Member;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@link Operations} of a server, over its HTTP API. The server knows the caller by the credentials, checks the role and writes the
 * record of actions; its rules for redaction hold. Refusals have the words that a store would use. Thread-safe.
 */
public final class RemoteOperations implements Operations {

    private final Api api;
    private final Time time;

    /**
     * Prepares requests; the first one is sent by the first operation.
     *
     * @param server the URL of the server, without a slash at its end
     */
    public RemoteOperations(URI server, Credentials credentials, Time time) {
        api = new Api(server, credentials);
        this.time = time;
    }

    @Override
    public Operator operator() {
        Fields me = api.get(ApiPath.of("me"));
        return Operator.named(me.text("name"), me.text("role", Role::of));
    }

    /** Returns how the server stands. */
    public ServerStatus status() {
        return ServerStatus.of(api.get(ApiPath.of("status")));
    }

    @Override
    public PolicyOperations policies() {
        return new RemotePolicies(api);
    }

    @Override
    public TokenOperations tokens() {
        return new RemoteTokens(api);
    }

    @Override
    public RunOperations runs() {
        return new RemoteRuns(api);
    }

    @Override
    public LetterOperations letters() {
        return new RemoteLetters(api);
    }

    @Override
    public RedriveOperations redrives() {
        return new RemoteRedrives(api, time);
    }

    @Override
    public EventOperations events() {
        return new RemoteEvents(api);
    }

    @Override
    public CauseOperations causes() {
        return new RemoteCauses(api);
    }

    @Override
    public ActivityOperations activity() {
        return new RemoteActivity(api);
    }

    @Override
    public EventFinder finder() {
        return new RemoteEventFinder(api);
    }

    @Override
    public PauseOperations pauses() {
        return new RemotePauses(api);
    }

    @Override
    public RouteOperations routes() {
        return new RemoteRoutes(api);
    }

    @Override
    public RepairOperations repairs() {
        return new RemoteRepairs(api);
    }

    @Override
    public ProposalOperations proposals() {
        return new RemoteProposals(api);
    }

    @Override
    public List<Member> nodes() {
        return api.get(ApiPath.of("nodes")).list("items", RemoteOperations::member);
    }

    private static Member member(Fields fields) {
        return new Member(
                fields.text("node"),
                fields.text("service"),
                fields.optional("version", ServiceVersion::new),
                fields.time("started"),
                fields.time("seen"),
                fields.texts("handles").stream().map(NamePattern::new).collect(Collectors.toUnmodifiableSet()),
                fields.list("sizes", RemoteOperations::size));
    }

    private static ChosenSize size(Fields fields) {
        return new ChosenSize(
                fields.text("subject"),
                fields.integer("size"),
                fields.text("unit"),
                fields.integer("least"),
                fields.integer("most"),
                fields.text("why"));
    }

    @Override
    public Flows flows() {
        return FlowShapes.flows(api.get(ApiPath.of("kafka")));
    }

    @Override
    public List<OperatorAction> actions(ActionFilter filter, int limit) {
        ApiPath path = ApiPath.of("actions")
                .with("operator", filter.operator())
                .with("action", filter.action())
                .with("since", filter.since())
                .with("until", filter.until())
                .with("limit", limit)
                .with("cursor", filter.after());
        return api.get(path).list("items", RemoteOperations::action);
    }

    private static OperatorAction action(Fields fields) {
        return new OperatorAction(
                new OperatorCommand(
                        fields.text("command"), fields.text("operator"), fields.text("origin"), fields.text("about")),
                fields.text("action"),
                fields.time("at"),
                fields.time("updated"),
                fields.text("outcome"),
                fields.number("letters"),
                fields.counts("causes"));
    }
}
