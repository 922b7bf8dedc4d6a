package io.redrive.events;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The versions of the letters of the in-memory store. Called with the store's lock held. */
final class InMemoryVersions {

    private final Map<Long, List<LetterVersion>> byLetter = new HashMap<>();

    void clear() {
        byLetter.clear();
    }

    /** Keeps the payload of a letter that is about to get another payload. */
    void keep(DeadLetter letter, byte[] next, String action, OperatorCommand command, Instant now) {
        byte[] payload = letter.event().payload();
        if (Arrays.equals(payload, next)) {
            return;
        }
        List<LetterVersion> versions = byLetter.computeIfAbsent(letter.id(), id -> new ArrayList<>());
        int number = versions.isEmpty() ? 1 : versions.get(versions.size() - 1).number() + 1;
        versions.add(new LetterVersion(
                number, payload, action, command.id(), command.operator(), now.truncatedTo(ChronoUnit.MICROS)));
        if (versions.size() > LetterVersion.MAX_VERSIONS) {
            versions.remove(0);
        }
    }

    void forget(long letter) {
        byLetter.remove(letter);
    }

    List<LetterVersion> of(long letter) {
        return List.copyOf(byLetter.getOrDefault(letter, List.of()));
    }
}
