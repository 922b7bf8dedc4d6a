package io.redrive.core;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer that is a failure, with its status and {@code Retry-After}, for use with
 * {@link RetryPolicy.Builder#retryOnStatus}.
 *
 * <pre>{@code
 * String body = retry.call(() -> HttpStatusException.check(client.send(request, BodyHandlers.ofString()), time).body());
 * }</pre>
 */
public class HttpStatusException extends RuntimeException implements HasStatus, HasRetryAfter {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final @Nullable Duration retryAfter;

    /** Creates a failure without a delay to wait. */
    public HttpStatusException(int status, String message) {
        this(status, message, null);
    }

    /** Creates a failure with the delay that the server asked for, or null. */
    public HttpStatusException(int status, String message, @Nullable Duration retryAfter) {
        super("HTTP " + status + ": " + message);
        this.status = status;
        this.retryAfter = retryAfter;
    }

    /**
     * Returns a response whose status is below 400; throws for every other status. The message names the address
     * without its query, which may hold a key.
     *
     * @throws HttpStatusException if the status is 400 or above
     */
    public static <T> HttpResponse<T> check(HttpResponse<T> response, Time time) {
        if (response.statusCode() < 400) {
            return response;
        }
        Instant now = time.now();
        @Nullable
        Duration hint = response.headers()
                .firstValue("Retry-After")
                .flatMap(header -> RetryAfterHeader.parse(header, now))
                .orElse(null);
        String what = response.request().method() + " " + withoutSecrets(response.uri());
        throw new HttpStatusException(response.statusCode(), what, hint);
    }

    /** Messages end up in logs, reports and dead letters; queries and user names often hold keys. */
    private static String withoutSecrets(URI uri) {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath();
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
