package io.redrive.events.redaction;

import io.redrive.core.SettingException;
import io.redrive.events.AttemptRecord;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.JsonPayload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;

/**
 * Replaces values that must not be seen: fields of JSON payloads, headers, and parts of texts. Rules are texts, the same in code, in
 * settings, in files and on the command line:
 *
 * <ul>
 *   <li>{@code /card/number}: a JSON pointer; {@code *} stands for any field or element, as in {@code /items/*}{@code /iban}
 *   <li>{@code header:authorization}: a header, in upper or lower case; {@code header:*} for all headers
 *   <li>{@code pattern:\b\d{13,19}\b}: a regular expression over the texts, numbers and field names of a payload, the values of headers,
 *       and error texts
 * </ul>
 *
 * <p>Values that a pointer or a header rule replaces also disappear from the error texts about the same event. All other parts of a
 * payload keep their values, numbers keep their digits; white space may change. A payload that is not JSON is replaced as a whole when
 * there is a pointer rule. A pattern that takes too many steps replaces the whole text: the search never holds a thread. Names of events,
 * sources, ids, ordering keys and error types are never replaced. No method throws. Immutable, thread-safe.
 *
 * <pre>{@code
 * Redaction redaction = Redaction.of(List.of("/card/number", "header:authorization"), RedactionMode.STORED);
 * Pipeline.on(store).redaction(redaction)
 * }</pre>
 */
public final class Redaction {

    /** The replacement of a value. */
    public static final String REPLACEMENT = "[redacted]";

    /** The most rules. */
    public static final int MAX_RULES = RedactionRules.MAX_RULES;

    /** No rules. */
    public static final Redaction NONE = new Redaction(new RedactionRules(), RedactionMode.SHOWN);

    /** Shorter values are too common in texts to be secrets. */
    private static final int SHORTEST_SECRET = 3;

    private static final int MAX_SECRETS = 200;
    /** Only the first {@link AttemptRecord#MAX_MESSAGE} characters are stored, so longer texts need no search. */
    private static final int SEARCHED = 16 * AttemptRecord.MAX_MESSAGE;

    private static final String PAYLOAD = "payload";
    private static final String HEADERS = "headers";

    private final RedactionRules rules;
    private final TextPatterns patterns;
    private final RedactionMode mode;
    /** The redaction to follow; empty for rules of its own. */
    private final Optional<Supplier<Redaction>> followed;

    private Redaction(RedactionRules rules, RedactionMode mode) {
        this(rules, mode, Optional.empty());
    }

    private Redaction(RedactionRules rules, RedactionMode mode, Optional<Supplier<Redaction>> followed) {
        this.rules = rules;
        patterns = new TextPatterns(rules.patterns);
        this.mode = mode;
        this.followed = followed;
    }

    /** Returns a redaction that asks {@code current} for its rules at each call, for rules that change while a process runs. */
    public static Redaction following(Supplier<Redaction> current) {
        return new Redaction(new RedactionRules(), RedactionMode.SHOWN, Optional.of(current));
    }

    private Redaction now() {
        return followed.isPresent() ? followed.get().get().now() : this;
    }

    /** {@link #of(List, RedactionMode)} for values that are shown. */
    public static Redaction of(List<String> rules) {
        return of(rules, RedactionMode.SHOWN);
    }

    /**
     * Reads rules.
     *
     * @throws SettingException when a rule is refused; the key is {@code rules[n]}, counted from 0
     */
    public static Redaction of(List<String> rules, RedactionMode mode) {
        RedactionRules read = new RedactionRules();
        for (int i = 0; i < rules.size(); i++) {
            read.add("rules[" + i + "]", rules.get(i));
        }
        return new Redaction(read, Objects.requireNonNull(mode, "mode"));
    }

    /**
     * Reads a file with one rule in each line. Empty lines and lines that begin with {@code #} are skipped.
     *
     * @throws SettingException when a rule is refused; the key is {@code line n}, counted from 1
     */
    public static Redaction ofLines(List<String> lines, RedactionMode mode) {
        RedactionRules read = new RedactionRules();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                read.add("line " + (i + 1), line);
            }
        }
        return new Redaction(read, Objects.requireNonNull(mode, "mode"));
    }

    /** Returns when the rules apply. */
    public RedactionMode mode() {
        return now().mode;
    }

    /** Returns true when there are no rules. */
    public boolean isEmpty() {
        return now().rules.size() == 0;
    }

    /** Returns these rules for values that are stored: none when the rules apply only before values are shown. */
    public Redaction forStorage() {
        return followed.isPresent() ? following(() -> now().forStorage()) : mode == RedactionMode.STORED ? this : NONE;
    }

    /** Returns the event without secrets; the event itself when no rule matches. A changed event has the mark. */
    public Event event(Event event) {
        return now().event(event, new LinkedHashSet<>());
    }

    private Event event(Event event, Set<String> secrets) {
        if (isEmpty()) {
            return event;
        }
        Map<String, String> headers = headers(event.headers(), secrets);
        byte[] payload = payload(event.payload(), event.contentType(), secrets);
        boolean otherHeaders = !headers.equals(event.headers());
        boolean otherPayload = !Arrays.equals(payload, event.payload());
        if (!otherHeaders && !otherPayload) {
            return event;
        }
        Set<String> parts = new LinkedHashSet<>(DeadLetter.redactedParts(event));
        if (otherPayload) {
            parts.add(PAYLOAD);
        }
        if (otherHeaders) {
            parts.add(HEADERS);
        }
        return event.toBuilder()
                .headers(headers)
                .header(DeadLetter.REDACTED_HEADER, String.join(" ", parts))
                .payload(payload, event.contentType())
                .build();
    }

    /** Returns a text without the matches of patterns, for a text that belongs to no event. */
    public String text(String text) {
        return now().searched(text);
    }

    private String searched(String text) {
        return patterns.isEmpty() ? text : patterns.replaced(cut(text));
    }

    /** Returns a text about an event without the matches of patterns and without the secrets of the event. */
    public String text(String text, Event event) {
        if (isEmpty() || text.isEmpty()) {
            return text;
        }
        Redaction now = now();
        Set<String> secrets = new LinkedHashSet<>();
        now.event(event, secrets);
        return now.text(text, secrets);
    }

    private String text(String text, Set<String> secrets) {
        return searched(TextPatterns.without(secrets, cut(text)));
    }

    /** Returns a letter without secrets in payload, original payload, headers, last error and history. */
    public DeadLetter letter(DeadLetter letter) {
        return isEmpty() ? letter : now().withoutSecrets(letter);
    }

    private DeadLetter withoutSecrets(DeadLetter letter) {
        Set<String> secrets = new LinkedHashSet<>();
        Event event = event(letter.event(), secrets);
        Optional<byte[]> original = letter.originalPayload()
                .map(bytes -> payload(bytes, letter.event().contentType(), secrets));
        return new DeadLetter(
                letter.id(),
                event,
                original,
                letter.reason(),
                letter.errorType(),
                text(letter.lastError(), secrets),
                letter.fingerprint(),
                letter.service(),
                letter.attempts(),
                letter.redrives(),
                letter.automaticRedrives(),
                letter.deadAt(),
                letter.history().stream()
                        .map(attempt -> attempt(attempt, secrets))
                        .toList());
    }

    private AttemptRecord attempt(AttemptRecord attempt, Set<String> secrets) {
        return new AttemptRecord(
                attempt.number(),
                attempt.at(),
                attempt.node(),
                attempt.duration(),
                attempt.errorType(),
                text(attempt.message(), secrets),
                attempt.decision(),
                attempt.why());
    }

    /** Returns a payload without secrets; {@code payload} itself when no rule matches. */
    public byte[] payload(byte[] payload, String contentType) {
        return now().payload(payload, contentType, new LinkedHashSet<>());
    }

    private byte[] payload(byte[] payload, String contentType, Set<String> secrets) {
        if (payload.length == 0 || (rules.pointers.isEmpty() && patterns.isEmpty())) {
            return payload;
        }
        if (!JsonPayload.isJson(contentType)) {
            return rules.pointers.isEmpty() ? searched(payload) : bytes(REPLACEMENT);
        }
        if (JsonPayload.complaint(payload).isPresent()) {
            return rules.pointers.isEmpty() ? searched(payload) : bytes('"' + REPLACEMENT + '"');
        }
        try {
            return new JsonRedactor(rules.pointers, patterns, payload.length, secrets).copy(payload);
        } catch (JacksonException e) {
            // No valid copy of such a document exists: half of a surrogate pair, for example.
            return bytes('"' + REPLACEMENT + '"');
        }
    }

    /** Searches a payload that is not JSON. Bytes that are no UTF-8 become one character each, and keep their values. */
    private byte[] searched(byte[] payload) {
        Charset charset = StandardCharsets.UTF_8;
        String text;
        try {
            text = charset.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
        } catch (CharacterCodingException e) {
            charset = StandardCharsets.ISO_8859_1;
            text = new String(payload, charset);
        }
        String result = patterns.replaced(text);
        return result.equals(text) ? payload : result.getBytes(charset);
    }

    private Map<String, String> headers(Map<String, String> headers, Set<String> secrets) {
        Map<String, String> kept = new LinkedHashMap<>();
        headers.forEach((name, value) -> kept.put(name, header(name, value, secrets)));
        return kept;
    }

    private String header(String name, String value, Set<String> secrets) {
        if (name.equals(DeadLetter.REDACTED_HEADER)) {
            return value;
        }
        if (name.equals(Event.RECORD_HEADER)) {
            // Bytes of headers that the rules may name: no rule can be applied inside.
            return REPLACEMENT;
        }
        if (rules.hasHeader(name)) {
            addSecret(secrets, value);
            return REPLACEMENT;
        }
        String searched = patterns.replaced(value);
        return searched.length() > Event.MAX_HEADER_LENGTH ? REPLACEMENT : searched;
    }

    /** Remembers a replaced value, so that texts about the event lose it too. */
    static void addSecret(Set<String> secrets, String value) {
        if (value.length() >= SHORTEST_SECRET && !value.equals(REPLACEMENT) && secrets.size() < MAX_SECRETS) {
            secrets.add(value);
        }
    }

    private static String cut(String text) {
        return text.length() <= SEARCHED ? text : text.substring(0, SEARCHED) + "…";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the number of rules and the mode; rules may say too much themselves. */
    @Override
    public String toString() {
        return now().rules.size() + " rules, when " + mode().name().toLowerCase(java.util.Locale.ROOT);
    }
}
