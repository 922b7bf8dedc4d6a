package io.redrive.server.access;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The credentials of a request, as its header Authorization has them. */
sealed interface Credentials {

    /** No header. */
    record None() implements Credentials {}

    /** A token. */
    record Bearer(String text) implements Credentials {

        /** Never the token. */
        @Override
        public String toString() {
            return "bearer";
        }
    }

    /** A name and a password. */
    record Password(String name, String password) implements Credentials {

        /** Never the password. */
        @Override
        public String toString() {
            return "password of " + name;
        }
    }

    /** A header that is neither. */
    record Unreadable() implements Credentials {}

    static Credentials of(@Nullable String header) {
        if (header == null) {
            return new None();
        }
        int space = header.indexOf(' ');
        String scheme = space < 0 ? header : header.substring(0, space).toLowerCase(Locale.ROOT);
        String rest = space < 0 ? "" : header.substring(space + 1).strip();
        return switch (scheme.toLowerCase(Locale.ROOT)) {
            case "bearer" -> rest.isEmpty() ? new Unreadable() : new Bearer(rest);
            case "basic" -> password(rest);
            default -> new Unreadable();
        };
    }

    private static Credentials password(String encoded) {
        try {
            String both = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(encoded)))
                    .toString();
            int colon = both.indexOf(':');
            return colon < 0 ? new Unreadable() : new Password(both.substring(0, colon), both.substring(colon + 1));
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return new Unreadable();
        }
    }
}
