package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.NamePattern;
import io.redrive.operations.PauseOperations;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@link PauseOperations} of a server. */
final class RemotePauses implements PauseOperations {

    private final Api api;

    RemotePauses(Api api) {
        this.api = api;
    }

    @Override
    public List<NamePause> list() {
        return api.get(ApiPath.of("pauses")).list("items", RemotePauses::pause);
    }

    private static NamePause pause(Fields fields) {
        return fields.isTrue("by_hand")
                ? byHand(fields)
                : new NamePause.ByPipeline(fields.text("pattern"), fields.time("since"), fields.time("until"));
    }

    private static NamePause.ByHand byHand(Fields fields) {
        return new NamePause.ByHand(
                fields.text("pattern", NamePattern::new),
                fields.text("operator"),
                fields.text("reason"),
                fields.time("since"),
                fields.optionalTime("until"));
    }

    @Override
    public NamePause.ByHand pause(NamePattern pattern, String reason, Optional<Instant> until) {
        JsonObject body = new JsonObject().put("reason", reason).put("until", until.orElse(null));
        return byHand(api.change("PUT", path(pattern), body).orElseThrow());
    }

    @Override
    public Optional<NamePause.ByHand> resume(NamePattern pattern) {
        return api.change("DELETE", path(pattern), new JsonObject()).map(RemotePauses::byHand);
    }

    private static ApiPath path(NamePattern pattern) {
        return ApiPath.of("pauses", pattern.text());
    }
}
