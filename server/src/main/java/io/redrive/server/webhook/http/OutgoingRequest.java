package io.redrive.server.webhook.http;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * A request to a destination.
 *
 * @param url the address, checked by the reader of routes
 * @param headers the headers, whose names and values are checked
 * @param body the bytes of the body
 * @param limit the time limit from the first look-up to the end of the answer
 */
public record OutgoingRequest(URI url, Map<String, String> headers, byte[] body, Duration limit) {

    /** Returns path and query, as they stand in the URL. */
    String path() {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    /** Names the address without its query, which may hold a key. */
    @Override
    public String toString() {
        return "POST " + url.getScheme() + "://" + url.getAuthority() + url.getRawPath();
    }
}
