package io.redrive.cli.remote;

import io.redrive.cli.command.JsonObject;
import io.redrive.core.DurationText;
import io.redrive.events.NamePattern;
import io.redrive.operations.AccessToken;
import io.redrive.operations.NewToken;
import io.redrive.operations.Role;
import io.redrive.operations.TokenOperations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@link TokenOperations} of a server. */
final class RemoteTokens implements TokenOperations {

    private final Api api;

    RemoteTokens(Api api) {
        this.api = api;
    }

    @Override
    public List<AccessToken> list() {
        return api.get(ApiPath.of("tokens")).list("items", RemoteTokens::token);
    }

    private static AccessToken token(Fields fields) {
        return new AccessToken(
                fields.text("prefix"),
                fields.text("name"),
                fields.text("role", Role::of),
                fields.texts("names").stream().map(NamePattern::new).toList(),
                fields.text("created_by"),
                fields.time("created"),
                fields.optionalTime("expires"),
                fields.optionalTime("last_used"));
    }

    @Override
    public NewToken create(String name, Role role, List<NamePattern> names, Optional<Duration> lifetime) {
        JsonObject body = new JsonObject()
                .put("name", name)
                .put("role", role.code())
                .put("names", names.stream().map(NamePattern::text).toList())
                .put("lifetime", lifetime.map(DurationText::format).orElse(null));
        Fields made = api.post(ApiPath.of("tokens"), body);
        return new NewToken(token(made), made.text("token"));
    }

    @Override
    public Optional<AccessToken> revoke(String prefix) {
        return api.change("DELETE", ApiPath.of("tokens", prefix), new JsonObject())
                .map(RemoteTokens::token);
    }
}
