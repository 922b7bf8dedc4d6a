package io.redrive.server.webhook.http;

import java.time.Duration;
import org.apache.hc.core5.http.config.Http1Config;

/** The limits of connections and answers, the same for every kind of connection. */
final class ExchangeLimits {

    /** How long an answer's body may take after its head; a body is kept for people only. */
    static final Duration BODY_GRACE = Duration.ofSeconds(1);

    /** The time limit of a connect, within that of the request. */
    static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    /** How long a connection without a request is kept. */
    static final Duration KEEP_IDLE = Duration.ofSeconds(30);

    /** A connection that was idle for longer is checked before it is used again. */
    static final Duration CHECK_AFTER = Duration.ofSeconds(1);

    static final String USER_AGENT = "Redrive";

    /** The limits of an answer's head. */
    static final Http1Config HEAD_LIMITS = Http1Config.custom()
            .setMaxHeaderCount(200)
            .setMaxLineLength(16 * 1024)
            .build();

    private ExchangeLimits() {}
}
