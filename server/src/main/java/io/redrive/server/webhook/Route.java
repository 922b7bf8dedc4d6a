package io.redrive.server.webhook;

import io.redrive.events.NamePattern;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A route of the configuration. Immutable; {@code toString} shows no secret.
 *
 * @param name the name of the route, part of the name of its delivery events
 * @param events the names of the events that the route delivers
 * @param target the receiver of the route
 * @param signing how requests are signed
 * @param limits the limits of the destination, each per node
 * @param headers the headers of a request besides those of the protocol
 * @param retry the keys of the retry policy, over the preset {@code webhook}
 */
record Route(
        String name,
        List<NamePattern> events,
        Target target,
        Signing signing,
        Limits limits,
        Headers headers,
        Map<String, String> retry) {

    /** What the names of all delivery events begin with. */
    static final String PREFIX = "webhook.";

    Route {
        events = List.copyOf(events);
        retry = Map.copyOf(retry);
    }

    /** Returns the name of the delivery events of this route. */
    String eventName() {
        return PREFIX + name;
    }

    /** Returns the name of the delivery events as a pattern, for pauses. */
    NamePattern pattern() {
        return new NamePattern(eventName());
    }

    /** The URL of a route. */
    record Target(URI url) {

        /** Returns the URL without its query, which may hold a key. */
        String shown() {
            return url.getScheme() + "://" + url.getAuthority() + (url.getRawPath() == null ? "" : url.getRawPath());
        }

        @Override
        public String toString() {
            return shown();
        }
    }

    /**
     * How requests are signed.
     *
     * @param scheme {@code v1}, {@code v1a} or {@code none}
     * @param secret the secret of the configuration; empty when the server makes one
     * @param grace how long a replaced secret signs too
     */
    record Signing(String scheme, Optional<HiddenText> secret, Duration grace) {

        static final String NONE = "none";

        boolean isSigned() {
            return !scheme.equals(NONE);
        }
    }

    /**
     * The limits of a destination.
     *
     * @param concurrency requests at a time
     * @param rate requests a second; empty for no limit
     * @param timeLimit the time limit of a request
     * @param ordered true when events with an ordering key are delivered in order
     * @param retryBudget retries as a share of first attempts; empty for no limit
     */
    record Limits(
            int concurrency,
            Optional<Double> rate,
            Duration timeLimit,
            boolean ordered,
            Optional<Double> retryBudget) {}

    /**
     * The headers of a request besides those of the protocol.
     *
     * @param fixed headers with the same value in each request
     * @param forwarded names of event headers that become headers of the request
     */
    record Headers(Map<String, HiddenText> fixed, List<String> forwarded) {
        Headers {
            fixed = Map.copyOf(fixed);
            forwarded = List.copyOf(forwarded);
        }
    }
}
