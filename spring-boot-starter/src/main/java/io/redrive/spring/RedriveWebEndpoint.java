package io.redrive.spring;

import io.redrive.core.SettingException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link RedriveEndpoint} over HTTP. A bad request is answered with status 400 and a JSON body, even where the application
 * hides error messages: {@code error}, and for settings {@code key}, {@code rule}, {@code value} and {@code suggestion}.
 */
@EndpointWebExtension(endpoint = RedriveEndpoint.class)
public final class RedriveWebEndpoint {

    private final RedriveEndpoint endpoint;

    RedriveWebEndpoint(RedriveEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Returns dead letters; see {@link RedriveEndpoint#letters}. */
    @ReadOperation
    public WebEndpointResponse<?> letters(
            @Selector String what, @Nullable String name, @Nullable String reason, @Nullable String fingerprint) {
        return answer(() -> endpoint.letters(what, name, reason, fingerprint));
    }

    /** Redrives dead letters; see {@link RedriveEndpoint#redrive}. */
    @WriteOperation
    public WebEndpointResponse<?> redrive(
            @Nullable String name,
            @Nullable String reason,
            @Nullable String fingerprint,
            @Nullable String all,
            @Nullable String limit) {
        return answer(() -> endpoint.redrive(name, reason, fingerprint, bool("all", all), number("limit", limit)));
    }

    /** Changes settings; see {@link RedriveEndpoint#settings}. */
    @WriteOperation
    public WebEndpointResponse<?> settings(
            @Selector String what, @Nullable String key, @Nullable String value, @Nullable String reload) {
        return answer(() -> endpoint.settings(what, key, value, bool("reload", reload)));
    }

    private static WebEndpointResponse<?> answer(Supplier<?> operation) {
        try {
            return new WebEndpointResponse<>(operation.get());
        } catch (InvalidEndpointRequestException e) {
            return refusal(e.getReason(), e.getCause());
        } catch (SettingException e) {
            return refusal(e.getMessage(), e);
        }
    }

    private static WebEndpointResponse<?> refusal(@Nullable String error, @Nullable Throwable cause) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("error", String.valueOf(error));
        if (cause instanceof SettingException setting) {
            body.put("key", setting.key());
            body.put("rule", setting.rule());
            body.put("value", setting.value());
            setting.suggestion().ifPresent(suggestion -> body.put("suggestion", suggestion));
        }
        return new WebEndpointResponse<>(body, WebEndpointResponse.STATUS_BAD_REQUEST);
    }

    private static @Nullable Boolean bool(String key, @Nullable String text) {
        if (text != null && !List.of("true", "false").contains(text)) {
            throw SettingException.of(key, "must be true or false", text);
        }
        return text == null ? null : Boolean.valueOf(text);
    }

    private static @Nullable Integer number(String key, @Nullable String text) {
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw SettingException.of(key, "must be a whole number", text);
        }
    }
}
