package io.redrive.events;

import io.redrive.core.Reason;
import io.redrive.events.journal.EventQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects dead letters; an empty field does not restrict. {@code LetterFilter.ALL.withName("ml.run.*")}.
 *
 * @param ids only the letters with these ids
 * @param name event name or pattern
 * @param reason the reason for giving up
 * @param errorType the short type of the last failure
 * @param fingerprint the cause
 * @param since given up at or after this time
 * @param until given up before this time
 * @param text contained in the last error, the event's id, its correlation id or its headers, ignoring case; or in
 *     the payload, as {@link PayloadSearch} says
 * @param maxAutomaticRedrives automatically redriven fewer times than this
 * @param eventId only letters of the event with this id
 * @param overtaken true: only overtaken letters; false: no overtaken letters. A letter is overtaken when a newer event of
 *     its ordering key has finished, as the store's {@linkplain io.redrive.events.journal.Journal journal} remembers.
 *     Newer is created later, or published later when both were created at the same time
 * @param redacted whether letters with redacted parts are selected; when empty, redrives leave such letters out
 * @param event only letters of events that are an answer to this query
 * @param payload only letters whose payload has this field with this value
 */
public record LetterFilter(
        Set<Long> ids,
        Optional<NamePattern> name,
        Optional<Reason> reason,
        Optional<String> errorType,
        Optional<String> fingerprint,
        Optional<Instant> since,
        Optional<Instant> until,
        Optional<String> text,
        Optional<Integer> maxAutomaticRedrives,
        Optional<String> eventId,
        Optional<Boolean> overtaken,
        Optional<Redacted> redacted,
        Optional<EventQuery> event,
        Optional<PayloadField> payload) {

    private static final int IDS_SHOWN = 20;

    /** Selects every letter. */
    public static final LetterFilter ALL = new LetterFilter(
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Whether letters with redacted parts are selected. */
    public enum Redacted {
        /** Selects letters with and without redacted parts. */
        INCLUDED,
        /** Selects only letters without redacted parts. */
        EXCLUDED,
        /** Selects only letters with redacted parts. */
        ONLY
    }

    /** Copies the ids. */
    public LetterFilter {
        ids = Set.copyOf(ids);
    }

    /** Returns a filter for these letters. */
    public static LetterFilter ofIds(List<Long> ids) {
        return ALL.with(parts -> parts.ids = Set.copyOf(ids));
    }

    /** The components of a filter that is being changed. */
    private static final class Parts {
        Set<Long> ids;
        Optional<NamePattern> name;
        Optional<Reason> reason;
        Optional<String> errorType;
        Optional<String> fingerprint;
        Optional<Instant> since;
        Optional<Instant> until;
        Optional<String> text;
        Optional<Integer> maxAutomaticRedrives;
        Optional<String> eventId;
        Optional<Boolean> overtaken;
        Optional<Redacted> redacted;
        Optional<EventQuery> event;
        Optional<PayloadField> payload;

        Parts(LetterFilter of) {
            ids = of.ids;
            name = of.name;
            reason = of.reason;
            errorType = of.errorType;
            fingerprint = of.fingerprint;
            since = of.since;
            until = of.until;
            text = of.text;
            maxAutomaticRedrives = of.maxAutomaticRedrives;
            eventId = of.eventId;
            overtaken = of.overtaken;
            redacted = of.redacted;
            event = of.event;
            payload = of.payload;
        }
    }

    /** Returns a copy of this filter with other components. */
    private LetterFilter with(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return new LetterFilter(
                parts.ids,
                parts.name,
                parts.reason,
                parts.errorType,
                parts.fingerprint,
                parts.since,
                parts.until,
                parts.text,
                parts.maxAutomaticRedrives,
                parts.eventId,
                parts.overtaken,
                parts.redacted,
                parts.event,
                parts.payload);
    }

    /** Returns this filter, also restricted to this event name or pattern. */
    public LetterFilter withName(String pattern) {
        return with(parts -> parts.name = Optional.of(new NamePattern(pattern)));
    }

    /** Returns this filter, also restricted to this reason. */
    public LetterFilter withReason(Reason only) {
        return with(parts -> parts.reason = Optional.of(only));
    }

    /** Returns this filter, also restricted to this error type. */
    public LetterFilter withErrorType(String only) {
        return with(parts -> parts.errorType = Optional.of(only));
    }

    /** Returns this filter, also restricted to this cause. */
    public LetterFilter withFingerprint(String only) {
        return with(parts -> parts.fingerprint = Optional.of(only));
    }

    /** Returns this filter, also restricted to letters given up in this span; a null end is open. */
    public LetterFilter withTime(@Nullable Instant from, @Nullable Instant before) {
        return with(parts -> {
            parts.since = Optional.ofNullable(from);
            parts.until = Optional.ofNullable(before);
        });
    }

    /**
     * Returns this filter, also restricted to letters that contain this text.
     *
     * @throws IllegalArgumentException for a blank text, which every letter would contain
     */
    public LetterFilter withText(String contained) {
        if (contained.isBlank()) {
            throw new IllegalArgumentException(
                    "text must not be blank, because every letter contains it; got '" + contained + "'");
        }
        return with(parts -> parts.text = Optional.of(contained));
    }

    /** Returns this filter, also restricted to letters automatically redriven fewer than {@code times} times. */
    public LetterFilter withFewerAutomaticRedrivesThan(int times) {
        return with(parts -> parts.maxAutomaticRedrives = Optional.of(times));
    }

    /** Returns this filter, also restricted to letters of the event with this id. */
    public LetterFilter withEventId(String only) {
        return with(parts -> parts.eventId = Optional.of(only));
    }

    /** Returns this filter, also restricted to overtaken letters (true) or to letters that are not (false). */
    public LetterFilter withOvertaken(boolean only) {
        return with(parts -> parts.overtaken = Optional.of(only));
    }

    /** Returns this filter, with this rule about letters with redacted parts. */
    public LetterFilter withRedacted(Redacted rule) {
        return with(parts -> parts.redacted = Optional.of(rule));
    }

    /** Returns this filter for a redrive: leaves letters with redacted parts out, unless the filter says otherwise. */
    public LetterFilter forRedrive() {
        return redacted.isPresent() ? this : withRedacted(Redacted.EXCLUDED);
    }

    /** Returns this filter, also restricted to letters of events that are an answer to {@code query}. */
    public LetterFilter withEvent(EventQuery query) {
        return with(parts -> parts.event = Optional.of(query));
    }

    /** Returns this filter, also restricted to letters whose payload has this field with this value. */
    public LetterFilter withPayload(PayloadField field) {
        return with(parts -> parts.payload = Optional.of(field));
    }

    /** Returns this filter without its field of the payload. */
    public LetterFilter withoutPayload() {
        return with(parts -> parts.payload = Optional.empty());
    }

    /** Returns true when payloads have to be read to tell which letters the filter selects. */
    public boolean readsPayloads() {
        return text.isPresent() || payload.isPresent();
    }

    /** Returns the filter in words: {@code name order.*, reason timeout}; {@code all letters} for {@link #ALL}. */
    public String describe() {
        List<String> parts = new ArrayList<>();
        if (!ids.isEmpty()) {
            String some =
                    ids.stream().sorted().limit(IDS_SHOWN).map(String::valueOf).collect(Collectors.joining(","));
            parts.add("ids " + some + (ids.size() > IDS_SHOWN ? " and " + (ids.size() - IDS_SHOWN) + " more" : ""));
        }
        name.ifPresent(value -> parts.add("name " + value.text()));
        reason.ifPresent(value -> parts.add("reason " + value.code()));
        errorType.ifPresent(value -> parts.add("error type " + Texts.shown(value)));
        fingerprint.ifPresent(value -> parts.add("cause " + Texts.shown(value)));
        eventId.ifPresent(value -> parts.add("event " + Texts.shown(value)));
        payload.ifPresent(field -> parts.add("payload " + Texts.shown(field.toString())));
        text.ifPresent(value -> parts.add("text " + Texts.shown(value)));
        since.ifPresent(value -> parts.add("dead since " + value));
        until.ifPresent(value -> parts.add("dead before " + value));
        maxAutomaticRedrives.ifPresent(value -> parts.add("fewer than " + value + " automatic redrives"));
        overtaken.filter(only -> only).ifPresent(only -> parts.add("overtaken"));
        event.ifPresent(query -> parts.add(query.by().words() + " " + Texts.shown(query.text())));
        redacted.ifPresent(rule -> parts.add("redacted letters " + rule.name().toLowerCase(Locale.ROOT)));
        return parts.isEmpty() ? "all letters" : String.join(", ", parts);
    }

    /**
     * Returns true when the filter selects {@code letter}; the definition of the filter for every store, except for
     * {@code overtaken}, which only a store's journal can tell.
     */
    public boolean matches(DeadLetter letter) {
        return (ids.isEmpty() || ids.contains(letter.id()))
                && name.map(pattern -> pattern.matches(letter.event().name())).orElse(true)
                && reason.map(only -> only == letter.reason()).orElse(true)
                && errorType.map(only -> only.equals(letter.errorType())).orElse(true)
                && fingerprint.map(only -> only.equals(letter.fingerprint())).orElse(true)
                && since.map(from -> !letter.deadAt().isBefore(from)).orElse(true)
                && until.map(before -> letter.deadAt().isBefore(before)).orElse(true)
                && eventId.map(only -> only.equals(letter.event().id())).orElse(true)
                && event.map(query -> isAnswer(letter.event(), query)).orElse(true)
                && text.map(contained -> containsText(letter, contained)).orElse(true)
                && maxAutomaticRedrives
                        .map(limit -> letter.automaticRedrives() < limit)
                        .orElse(true)
                && redacted.map(rule -> allows(rule, letter)).orElse(true)
                && payload.map(field -> field.isIn(letter.event().payload())).orElse(true);
    }

    private static boolean allows(Redacted rule, DeadLetter letter) {
        return rule == Redacted.INCLUDED || letter.isRedacted() == (rule == Redacted.ONLY);
    }

    private static boolean isAnswer(Event event, EventQuery query) {
        return switch (query.by()) {
            case ID -> event.id().equals(query.text());
            case CORRELATION ->
                event.correlationId().filter(query.text()::equals).isPresent();
            case KEY -> event.orderingKey().filter(query.text()::equals).isPresent();
            case NAME -> event.name().equals(query.text());
        };
    }

    private static boolean containsText(DeadLetter letter, String contained) {
        String wanted = contained.toLowerCase(Locale.ROOT);
        return letter.lastError().toLowerCase(Locale.ROOT).contains(wanted)
                || letter.event().idempotencyKey().toLowerCase(Locale.ROOT).contains(wanted)
                || letter.event().headers().entrySet().stream()
                        .anyMatch(header -> (header.getKey() + header.getValue())
                                .toLowerCase(Locale.ROOT)
                                .contains(wanted))
                || PayloadSearch.contains(letter.event().payload(), PayloadSearch.needle(contained));
    }
}
