package io.redrive.server.webhook.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of a destination, as far as it is kept.
 *
 * @param status the status code
 * @param headers the headers in order, cut at {@link #MAX_HEADERS} characters in total
 * @param body the first {@link #MAX_BODY} bytes of the body
 * @param cut true when the body was longer, or did not end in time
 */
public record Answer(int status, List<Map.Entry<String, String>> headers, byte[] body, boolean cut) {

    /** Bytes of the body that are kept. */
    public static final int MAX_BODY = 4 * 1024;

    /** Characters of all headers that are kept. */
    public static final int MAX_HEADERS = 2_000;

    /** Copies the headers. */
    public Answer {
        headers = List.copyOf(headers);
    }

    /** Returns true for a status from 200 to 299. */
    public boolean isSuccess() {
        return status / 100 == 2;
    }

    /** Returns the first header with this name, in any case of letters. */
    public Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns status, headers and body as text, for the history of an event. Cookies are left out. */
    public String text() {
        StringBuilder text = new StringBuilder("status ").append(status);
        for (Map.Entry<String, String> header : headers) {
            boolean secret = header.getKey().equalsIgnoreCase("set-cookie");
            text.append('\n').append(header.getKey()).append(": ").append(secret ? "(hidden)" : header.getValue());
        }
        if (body.length > 0) {
            text.append("\n\n").append(new String(body, StandardCharsets.UTF_8));
        }
        return text.append(cut ? " …" : "").toString();
    }

    @Override
    public String toString() {
        return "status " + status + " (" + body.length + (cut ? " bytes or more)" : " bytes)");
    }
}
