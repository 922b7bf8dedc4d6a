package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes.Note;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A token as a shared note: the prefix is the name of the note, the value has one line for each field.
 *
 * @param token the token
 * @param hash SHA-256 of the text that a caller sends, in hexadecimal; the text has enough random bits to need no salt
 * @param note the note that was read
 */
record TokenNote(AccessToken token, String hash, Note note) {

    static final String TOPIC = "token";

    private static final String BEGIN = "rdt_";

    /** Returns the text of a token from its two parts. */
    static String text(String prefix, String secret) {
        return BEGIN + prefix + "_" + secret;
    }

    /** Returns the prefix of a text; empty when the text has not the form of a token. */
    static Optional<String> prefixOf(String text) {
        return text.matches(BEGIN + "[0-9a-f]{8}_[0-9a-f]{64}")
                ? Optional.of(text.substring(BEGIN.length(), BEGIN.length() + 8))
                : Optional.empty();
    }

    static String hashOf(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Returns true when this is the token of a text. Takes the same time wherever two hashes differ. */
    boolean belongsTo(String text) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), hashOf(text).getBytes(StandardCharsets.US_ASCII));
    }

    static String value(AccessToken token, String hash) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("hash", hash);
        fields.put("name", token.name());
        fields.put("role", token.role().code());
        fields.put("names", token.names().stream().map(NamePattern::text).collect(Collectors.joining(",")));
        fields.put("by", token.createdBy());
        fields.put("created", token.created().toString());
        fields.put("expires", token.expires().map(Instant::toString).orElse(""));
        fields.put("used", token.lastUsed().map(Instant::toString).orElse(""));
        return fields.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n"));
    }

    static TokenNote of(Note note) {
        Map<String, String> fields = new LinkedHashMap<>();
        note.value().lines().forEach(line -> {
            int equals = line.indexOf('=');
            fields.put(line.substring(0, equals), line.substring(equals + 1));
        });
        AccessToken token = new AccessToken(
                note.name(),
                fields.getOrDefault("name", ""),
                Role.of(fields.getOrDefault("role", "")),
                patterns(fields.getOrDefault("names", "")),
                fields.getOrDefault("by", ""),
                Instant.parse(fields.getOrDefault("created", "")),
                instant(fields.getOrDefault("expires", "")),
                instant(fields.getOrDefault("used", "")));
        return new TokenNote(token, fields.getOrDefault("hash", ""), note);
    }

    private static List<NamePattern> patterns(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",")).map(NamePattern::new).toList();
    }

    private static Optional<Instant> instant(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    }
}
