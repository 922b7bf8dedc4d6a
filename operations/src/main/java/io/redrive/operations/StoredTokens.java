package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.events.OperatorCommand;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** {@link TokenOperations} on a store. */
final class StoredTokens implements TokenOperations {

    private static final int MAX_NAME = 100;
    private final Desk desk;

    StoredTokens(Desk desk) {
        this.desk = desk;
    }

    @Override
    public List<AccessToken> list() {
        return AccessTokens.all(desk.permitted(Verb.LIST_TOKENS).notes()).stream()
                .map(TokenNote::token)
                .toList();
    }

    @Override
    public NewToken create(String name, Role role, List<NamePattern> names, Optional<Duration> lifetime) {
        OperatorCommand command = desk.command(Verb.CREATE_TOKEN, "token of " + name + " with the role " + role.code());
        checkName(name);
        if (!names.isEmpty() && role != Role.PUBLISHER) {
            throw new IllegalArgumentException("names must be empty for the role " + role.code()
                    + ", which sees the whole store; only a publisher's token can be limited to names");
        }
        if (names.size() > AccessToken.MAX_NAMES) {
            throw new IllegalArgumentException(
                    "names must be at most " + AccessToken.MAX_NAMES + " patterns, got " + names.size());
        }
        lifetime.filter(span -> span.isNegative() || span.isZero()).ifPresent(span -> {
            throw new IllegalArgumentException("lifetime must be longer than zero, got " + span);
        });
        SharedNotes notes = desk.store().notes();
        if (AccessTokens.all(notes).size() >= MAX_TOKENS) {
            throw new IllegalArgumentException(
                    "a store has at most " + MAX_TOKENS + " tokens; revoke tokens that are no longer used");
        }
        NewToken made = write(name, role, names, lifetime, notes);
        desk.record(command, Verb.CREATE_TOKEN, "token " + made.token().prefix());
        return made;
    }

    private static void checkName(String name) {
        if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("name must be 1 to " + MAX_NAME + " characters of one line, got '"
                    + name.replaceAll("\\p{Cntrl}", "?") + "'");
        }
    }

    private NewToken write(
            String name, Role role, List<NamePattern> names, Optional<Duration> lifetime, SharedNotes notes) {
        Instant now = desk.now();
        Note note;
        AccessToken token;
        String text;
        do {
            String prefix = hex().substring(0, 8);
            text = TokenNote.text(prefix, hex() + hex());
            token = new AccessToken(
                    prefix, name, role, names, desk.operator().name(), now, lifetime.map(now::plus), Optional.empty());
            note = Note.first(TokenNote.TOPIC, prefix, TokenNote.value(token, TokenNote.hashOf(text)));
            // False when the prefix is taken.
        } while (!notes.write(note));
        return new NewToken(token, text);
    }

    /** A random UUID comes from the secure generator of the platform: 122 random bits. */
    private static String hex() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    @Override
    public Optional<AccessToken> revoke(String prefix) {
        OperatorCommand command = desk.command(Verb.REVOKE_TOKEN, "token " + prefix);
        SharedNotes notes = desk.store().notes();
        Optional<TokenNote> found = find(notes, prefix);
        while (found.isPresent() && !notes.erase(found.get().note())) {
            // The token was used at this moment, which changed its note.
            found = find(notes, prefix);
        }
        found.ifPresent(each -> desk.record(
                command, Verb.REVOKE_TOKEN, "token of " + each.token().name()));
        return found.map(TokenNote::token);
    }

    private static Optional<TokenNote> find(SharedNotes notes, String prefix) {
        return AccessTokens.all(notes).stream()
                .filter(each -> each.token().prefix().equals(prefix))
                .findFirst();
    }
}
