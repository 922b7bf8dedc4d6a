package io.redrive.server.webhook;

import io.redrive.core.SettingException;
import io.redrive.core.Time;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import io.redrive.server.webhook.secret.SealedSecretException;
import io.redrive.server.webhook.secret.SecretBox;
import io.redrive.server.webhook.signature.SigningKey;
import io.redrive.server.webhook.signature.SigningKeys;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The secrets that sign requests: the secret of the configuration, or a secret that the server made and keeps sealed in a shared
 * note. A rotation makes a new secret, and the former ones sign along until their grace is over. A secret in the configuration
 * that is changed after a rotation counts as a new secret. Thread-safe.
 */
final class RouteSecrets {

    static final String TOPIC = "webhook-secret";
    /** The most secrets in grace: two rotations in a row must not cut off a receiver. */
    static final int MOST_FORMER = 3;

    private static final Duration READ_EVERY = Duration.ofSeconds(5);
    private static final int TRIES = 5;

    private final SharedNotes notes;
    private final Optional<SecretBox> box;
    private final SecureRandom random;
    private final Time time;
    private final Map<String, Note> byRoute = new ConcurrentHashMap<>();
    /** Opened secrets by sealed text: opening costs more than signing. */
    private final Map<String, SigningKey> opened = new ConcurrentHashMap<>();

    private volatile Instant nextRead = Instant.MIN;

    RouteSecrets(SharedNotes notes, Optional<SecretBox> box, SecureRandom random, Time time) {
        this.notes = notes;
        this.box = box;
        this.random = random;
        this.time = time;
    }

    /**
     * Refuses signed routes when there is no key to seal secrets with.
     *
     * @throws SettingException with the first such route, and how to make a key
     */
    void require(RouteTable table) {
        if (box.isEmpty()) {
            table.routes().stream()
                    .filter(route -> route.signing().isSigned())
                    .findFirst()
                    .ifPresent(route -> {
                        throw SettingException.of(
                                RouteReader.SECTION + "." + route.name() + ".signature",
                                "needs a key that seals secrets in the store; " + SecretBox.REMEDY
                                        + ", or set signature: none",
                                route.signing().scheme());
                    });
        }
    }

    /**
     * Returns the keys that sign now, the current one first; none for a route that is not signed.
     *
     * @throws SealedSecretException if the key in use cannot open a stored secret
     */
    List<SigningKey> keys(Route route) {
        if (!route.signing().isSigned()) {
            return List.of();
        }
        read();
        Note note = byRoute.get(route.name());
        if (note == null && route.signing().secret().isPresent()) {
            return List.of(configured(route));
        }
        StoredSecrets stored = note == null ? made(route) : StoredSecrets.parse(note.value());
        List<SigningKey> keys = new ArrayList<>();
        keys.add(current(route, stored));
        Instant now = time.now();
        stored.former().forEach(former -> {
            if (now.isBefore(former.until())) {
                keys.add(open(route, former.sealed()));
            }
        });
        return keys;
    }

    /**
     * Makes a new secret. The secret in use signs along for the grace.
     *
     * @throws IllegalStateException if too many former secrets are in grace
     */
    SigningKey rotate(Route route, Duration grace) {
        SigningKey fresh = SigningKeys.generate(route.signing().scheme(), random);
        SecretBox sealing = sealing();
        Instant now = time.now();
        for (int i = 0; i < TRIES; i++) {
            nextRead = Instant.MIN;
            read();
            Optional<Note> note = Optional.ofNullable(byRoute.get(route.name()));
            StoredSecrets before = note.map(each -> StoredSecrets.parse(each.value()))
                    .orElse(new StoredSecrets(fingerprint(route), Optional.empty(), List.of()));
            List<StoredSecrets.Former> former = new ArrayList<>();
            before.former().stream().filter(each -> now.isBefore(each.until())).forEach(former::add);
            if (!grace.isZero()) {
                currentIfReadable(route, before)
                        .ifPresent(key -> former.add(
                                new StoredSecrets.Former(now.plus(grace), sealing.seal(route.name(), key.text()))));
            }
            if (former.size() > MOST_FORMER) {
                throw new IllegalStateException("route '" + route.name() + "' has " + MOST_FORMER
                        + " former secrets in grace, the first until "
                        + former.get(0).until()
                        + "; rotate after that, or with a grace of 0");
            }
            String value = new StoredSecrets(
                            fingerprint(route), Optional.of(sealing.seal(route.name(), fresh.text())), former)
                    .text();
            if (notes.write(
                    note.map(each -> each.with(value)).orElseGet(() -> Note.first(TOPIC, route.name(), value)))) {
                nextRead = Instant.MIN;
                return fresh;
            }
        }
        throw new IllegalStateException(
                "the secret of route '" + route.name() + "' is being changed by others; try again");
    }

    /** Makes the first secret of a route without a secret in the configuration. */
    private StoredSecrets made(Route route) {
        String sealed = sealing()
                .seal(
                        route.name(),
                        SigningKeys.generate(route.signing().scheme(), random).text());
        String value = new StoredSecrets(fingerprint(route), Optional.of(sealed), List.of()).text();
        Note first = Note.first(TOPIC, route.name(), value);
        if (notes.write(first)) {
            // Known without a read: with thousands of routes, reading all notes for each new secret would take minutes.
            byRoute.put(route.name(), first);
            return StoredSecrets.parse(value);
        }
        // A node that was faster has made the secret: read its note.
        nextRead = Instant.MIN;
        read();
        Note note = byRoute.get(route.name());
        return StoredSecrets.parse(note == null ? value : note.value());
    }

    private SigningKey current(Route route, StoredSecrets stored) {
        boolean fileChanged =
                route.signing().secret().isPresent() && !stored.configured().equals(fingerprint(route));
        return fileChanged || stored.current().isEmpty()
                ? configured(route)
                : open(route, stored.current().get());
    }

    /** A lost key must not keep an operator from making a new secret. */
    private Optional<SigningKey> currentIfReadable(Route route, StoredSecrets stored) {
        try {
            return stored.current().isEmpty() && route.signing().secret().isEmpty()
                    ? Optional.empty()
                    : Optional.of(current(route, stored));
        } catch (SealedSecretException lost) {
            return Optional.empty();
        }
    }

    private SigningKey open(Route route, String sealed) {
        SigningKey key = opened.get(sealed);
        if (key == null) {
            key = SigningKeys.parse("secret of route " + route.name(), sealing().open(route.name(), sealed));
            opened.put(sealed, key);
        }
        return key;
    }

    private static SigningKey configured(Route route) {
        String key = RouteReader.SECTION + "." + route.name() + ".secret";
        return route.signing()
                .secret()
                .map(secret -> SigningKeys.parse(key, secret.text()))
                .orElseThrow(() -> SettingException.of(key, "must be set: a stored secret refers to it", ""));
    }

    private static String fingerprint(Route route) {
        return route.signing()
                .secret()
                .map(secret -> DeliveryEvents.hash(secret.text()))
                .orElse(StoredSecrets.NONE);
    }

    private SecretBox sealing() {
        return box.orElseThrow(() -> new IllegalStateException("there is no key for secrets; " + SecretBox.REMEDY));
    }

    private void read() {
        Instant now = time.now();
        if (now.isBefore(nextRead)) {
            return;
        }
        nextRead = now.plus(READ_EVERY);
        Map<String, Note> found = new HashMap<>();
        notes.read().stream().filter(note -> note.topic().equals(TOPIC)).forEach(note -> found.put(note.name(), note));
        byRoute.keySet().retainAll(found.keySet());
        byRoute.putAll(found);
    }
}
