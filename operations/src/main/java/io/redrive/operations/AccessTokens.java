package io.redrive.operations;

import io.redrive.core.Time;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds the token that a caller sent. Remembers the tokens of the store for a second, so a revoked token is refused after a second; an
 * unknown prefix reads the store again, so a new token is known at once. Thread-safe.
 */
public final class AccessTokens {

    private static final Duration REMEMBERED = Duration.ofSeconds(1);
    private static final Duration USE_WRITTEN = Duration.ofMinutes(10);

    private final SharedNotes notes;
    private final Time time;
    private volatile Known known = new Known(Instant.EPOCH, Map.of());

    private record Known(Instant read, Map<String, TokenNote> byPrefix) {}

    /** Finds the tokens of a store. */
    public AccessTokens(SharedNotes notes, Time time) {
        this.notes = notes;
        this.time = time;
    }

    /** Returns the tokens of a store, the oldest first. */
    static List<TokenNote> all(SharedNotes notes) {
        return notes.read().stream()
                .filter(note -> note.topic().equals(TokenNote.TOPIC))
                .map(TokenNote::of)
                .sorted(Comparator.comparing(each -> each.token().created()))
                .toList();
    }

    /** Returns the token with this text; empty for an unknown, revoked or expired token. */
    public Optional<AccessToken> find(String text) {
        Optional<String> prefix = TokenNote.prefixOf(text);
        if (prefix.isEmpty()) {
            return Optional.empty();
        }
        Instant now = time.now();
        Optional<TokenNote> found = note(prefix.get(), now)
                .filter(each -> each.belongsTo(text))
                .filter(each -> !each.token().isExpired(now));
        found.ifPresent(each -> used(each, now));
        return found.map(TokenNote::token);
    }

    private Optional<TokenNote> note(String prefix, Instant now) {
        Known seen = known;
        boolean fresh = !now.isBefore(seen.read()) && now.isBefore(seen.read().plus(REMEMBERED));
        return fresh && seen.byPrefix().containsKey(prefix)
                ? Optional.of(seen.byPrefix().get(prefix))
                : Optional.ofNullable(read(now).get(prefix));
    }

    private Map<String, TokenNote> read(Instant now) {
        Map<String, TokenNote> fresh = all(notes).stream()
                .collect(Collectors.toMap(each -> each.token().prefix(), Function.identity()));
        known = new Known(now, fresh);
        return fresh;
    }

    /** Writes the time of use once in a while. Another node may write at the same moment, and one of both is enough. */
    private void used(TokenNote found, Instant now) {
        AccessToken token = found.token();
        if (token.lastUsed()
                .filter(last -> now.isBefore(last.plus(USE_WRITTEN)))
                .isEmpty()) {
            AccessToken touched = new AccessToken(
                    token.prefix(),
                    token.name(),
                    token.role(),
                    token.names(),
                    token.createdBy(),
                    token.created(),
                    token.expires(),
                    Optional.of(now));
            notes.write(found.note().with(TokenNote.value(touched, found.hash())));
            known = new Known(Instant.EPOCH, Map.of());
        }
    }
}
