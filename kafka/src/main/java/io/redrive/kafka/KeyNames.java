package io.redrive.kafka;

import io.redrive.events.Event;
import io.redrive.events.LogPlace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Texts within the limits of an event, made from topics, groups and keys of any length. */
final class KeyNames {

    /** The most characters of a short text of an event. */
    static final int MAX_LENGTH = 200;

    private static final int MAX_PREFIX = 120;
    private static final int MAX_KEY = 70;

    private static final String HASHED = "#";

    private KeyNames() {}

    /** Returns the place of a record as text. The operator knows the length of the text beforehand, which a builder does not. */
    static String joined(String topic, char first, int partition, char second, long offset) {
        return topic + first + partition + second + offset;
    }

    /** Returns the bookmark of a partition. */
    static String bookmark(String group, String topic, int partition) {
        return group + "/" + topic + "/" + partition;
    }

    /** Returns the key of a handled event, of the same length for texts of any length. */
    static String handled(String id, String correlationId) {
        return "kafka/" + hash((id + "\0" + correlationId).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the place of the record of an event. */
    static LogPlace place(String group, Event event, boolean isStored) {
        KafkaRecord record = KafkaRecord.of(event)
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "event " + event.id()
                                        + " did not come from a topic, so it has no place; publish it to a topic, or make its handler idempotent"));
        return new LogPlace(bookmark(group, record.topic(), record.partition()), record.offset(), isStored);
    }

    /** Returns the beginning of the ordering keys of a partition; no other partition's keys begin with it. */
    static String prefix(String group, String topic, int partition) {
        String name = bookmark(group, topic, partition);
        return (isShort(name, MAX_PREFIX) ? name : HASHED + hash(name.getBytes(StandardCharsets.UTF_8))) + "/";
    }

    /** Returns the ordering key of a record. A key that is long or no text is represented by its hash. */
    static String orderingKey(String prefix, byte[] key) {
        return prefix
                + RecordEnvelope.plainText(key)
                        .filter(text -> isShort(text, MAX_KEY))
                        .orElseGet(() -> HASHED + hash(key));
    }

    /** Returns a short text unchanged, and of a long text the beginning and the hash. */
    static String fitting(String text) {
        return text.length() <= MAX_LENGTH
                ? text
                : text.substring(0, MAX_PREFIX) + HASHED + hash(text.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isShort(String text, int limit) {
        if (text.length() > limit || text.startsWith(HASHED)) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static String hash(byte[] bytes) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
