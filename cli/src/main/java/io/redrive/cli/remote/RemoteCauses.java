package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.CauseDifferences;
import io.redrive.operations.CauseFilter;
import io.redrive.operations.CauseList;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import io.redrive.operations.FixState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** {@link CauseOperations} of a server. */
final class RemoteCauses implements CauseOperations {

    private final Api api;

    RemoteCauses(Api api) {
        this.api = api;
    }

    @Override
    public List<CauseView> latest(CausePlace after, int limit) {
        return api.get(ApiPath.of("causes").with("limit", limit).with("cursor", cursor(after)))
                .list("items", CauseShapes::view);
    }

    @Override
    public CauseList list(CauseFilter filter, CausePlace after, int limit) {
        Optional<String> states = filter.states().equals(CauseFilter.ALL.states())
                ? Optional.empty()
                : Optional.of(
                        filter.states().stream().map(CauseStatus::code).sorted().collect(Collectors.joining(",")));
        Fields page = api.get(ApiPath.of("causes")
                .with("limit", limit)
                .with("cursor", cursor(after))
                .with("status", states)
                .with("owner", filter.owner()));
        return new CauseList(
                page.list("items", CauseShapes::view),
                page.optional("next_cursor").map(CausePlace::parse));
    }

    private static Optional<String> cursor(CausePlace after) {
        return after.equals(CausePlace.START) ? Optional.empty() : Optional.of(after.text());
    }

    @Override
    public Optional<CauseView> find(String fingerprint) {
        return api.find(ApiPath.of("causes", fingerprint)).map(CauseShapes::view);
    }

    @Override
    public Optional<CauseDifferences> differences(String fingerprint) {
        return api.find(ApiPath.of("causes", fingerprint, "differences")).map(CauseShapes::causeDifferences);
    }

    @Override
    public FixState fix(CauseView view) {
        return api.find(ApiPath.of("causes", view.cause().fingerprint()))
                .map(found -> CauseShapes.fix(found.object("fix")))
                .orElseGet(FixState.NotApplicable::new);
    }

    @Override
    public Optional<CauseView> assign(String fingerprint, String owner) {
        return change(fingerprint, "assign", new JsonObject().put("owner", owner));
    }

    @Override
    public Optional<CauseView> note(String fingerprint, String text) {
        return change(fingerprint, "note", new JsonObject().put("note", text));
    }

    @Override
    public Optional<CauseView> ticket(String fingerprint, String link) {
        return change(fingerprint, "ticket", new JsonObject().put("ticket", link));
    }

    @Override
    public Optional<CauseView> resolve(String fingerprint, Optional<ServiceVersion> fixedIn) {
        return change(
                fingerprint,
                "resolve",
                new JsonObject()
                        .put("fixed_in", fixedIn.map(ServiceVersion::text).orElse(null)));
    }

    @Override
    public Optional<CauseView> ignore(String fingerprint, Optional<Instant> until, OptionalLong letters) {
        return change(
                fingerprint,
                "ignore",
                new JsonObject()
                        .put("until", until.orElse(null))
                        .put("letters", letters.isPresent() ? letters.getAsLong() : null));
    }

    @Override
    public Optional<CauseView> reopen(String fingerprint) {
        return change(fingerprint, "reopen", new JsonObject());
    }

    private Optional<CauseView> change(String fingerprint, String verb, JsonObject body) {
        return api.change("POST", ApiPath.of("causes", fingerprint, verb), body).map(CauseShapes::view);
    }

    @Override
    public long merge(String from, String into, LongConsumer progress) {
        long moved = api.post(ApiPath.of("causes", from, "merge"), new JsonObject().put("into", into))
                .number("moved");
        progress.accept(moved);
        return moved;
    }
}
