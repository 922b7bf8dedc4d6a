package io.redrive.events;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Makes idempotency keys of stable ids: {@code chunking-abc-def-ghi}. */
public final class IdempotencyKey {

    private IdempotencyKey() {}

    /**
     * Returns the service's name and the ids joined by hyphens. A key longer than {@link HandledKeys#MAX_KEY} is cut
     * and ends with a hash of the whole key, so that different events keep different keys.
     *
     * @param ids the ids of the event's documents, in a fixed order; at least one, none blank
     */
    public static String of(String service, String... ids) {
        return of(service, Arrays.asList(ids));
    }

    /** {@link #of(String, String...)} for a collection with a fixed order. */
    public static String of(String service, Collection<String> ids) {
        if (ids.isEmpty()) {
            throw new IllegalArgumentException(
                    "idempotency key must be made of at least one id, got none; every event would have the key of '"
                            + service + "'");
        }
        List<String> parts = new ArrayList<>(ids.size() + 1);
        parts.add(service);
        parts.addAll(ids);
        for (String part : parts) {
            if (part == null || part.isBlank()) {
                throw new IllegalArgumentException(
                        "parts of an idempotency key must not be blank, got " + Texts.shown(part));
            }
        }
        String key = String.join("-", parts);
        if (key.length() <= HandledKeys.MAX_KEY) {
            return HandledKeys.require(key);
        }
        String hash = Fingerprint.hash(key);
        return HandledKeys.require(Texts.cut(key, HandledKeys.MAX_KEY - hash.length() - 1) + "-" + hash);
    }
}
