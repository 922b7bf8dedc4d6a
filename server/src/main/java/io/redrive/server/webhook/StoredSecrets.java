package io.redrive.server.webhook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The sealed secrets of a route, as the value of a note.
 *
 * @param configured a hash of the secret in the configuration when the note was written; {@link #NONE} without one
 * @param current the sealed secret in use; empty when the secret of the configuration is in use
 * @param former the sealed secrets that sign along, the oldest first
 */
record StoredSecrets(String configured, Optional<String> current, List<Former> former) {

    static final String NONE = "-";

    /**
     * A replaced secret.
     *
     * @param until when the secret stops signing
     * @param sealed the sealed secret
     */
    record Former(Instant until, String sealed) {}

    StoredSecrets {
        former = List.copyOf(former);
    }

    static StoredSecrets parse(String value) {
        String[] lines = value.split("\n");
        List<Former> former = new ArrayList<>();
        for (int i = 2; i < lines.length; i++) {
            int space = lines[i].indexOf(' ');
            former.add(new Former(Instant.parse(lines[i].substring(0, space)), lines[i].substring(space + 1)));
        }
        return new StoredSecrets(lines[0], lines[1].equals(NONE) ? Optional.empty() : Optional.of(lines[1]), former);
    }

    String text() {
        StringBuilder text = new StringBuilder(configured).append('\n').append(current.orElse(NONE));
        former.forEach(
                each -> text.append('\n').append(each.until()).append(' ').append(each.sealed()));
        return text.toString();
    }
}
