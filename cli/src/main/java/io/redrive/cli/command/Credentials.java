package io.redrive.cli.command;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** What a caller shows to a server: nothing, a token, or a name with a password. */
public sealed interface Credentials {

    /** Returns the value of the header {@code Authorization}; empty for none. */
    Optional<String> header();

    /** No credentials, for a server without auth. */
    record None() implements Credentials {
        @Override
        public Optional<String> header() {
            return Optional.empty();
        }
    }

    /** A token, as {@code redrive token create} printed it. */
    record Token(String text) implements Credentials {

        /**
         * Checks the text.
         *
         * @throws IllegalArgumentException when the text cannot be a token; the message does not repeat it
         */
        public Token {
            if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
                throw new IllegalArgumentException("a token must be one word, as 'redrive token create' printed it");
            }
        }

        @Override
        public Optional<String> header() {
            return Optional.of("Bearer " + text);
        }

        @Override
        public String toString() {
            return "a token";
        }
    }

    /** A name and a password, as the configuration of the server has them. */
    record Password(String name, String password) implements Credentials {
        @Override
        public Optional<String> header() {
            byte[] pair = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
            return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair));
        }

        @Override
        public String toString() {
            return "the password of " + name;
        }
    }
}
