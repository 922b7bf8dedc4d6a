package io.redrive.server.access;

import io.redrive.server.config.ServerProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Compares passwords with the hashes of the configuration. A comparison is slow on purpose; a password that was right is remembered,
 * as a hash, so that the next request with it is quick. Thread-safe.
 */
final class PasswordCheck {

    private static final int REMEMBERED = 200;
    private static final int LONGEST_PASSWORD = 72;
    /** A hash of nobody's password, for a configuration without users. */
    private static final String NOBODY = "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5BWX4Z1bDqkhpZ6h9XbRhLxZ0KqGu";

    private final BCryptPasswordEncoder encoder = new BCryptPasswordEncoder();
    private final Map<String, Boolean> right = new LinkedHashMap<>();

    /**
     * Returns the user with this name and password. The password of an unknown name is compared with the hash of some user, so that an
     * unknown name takes as long as a known one.
     */
    Optional<ServerProperties.User> find(ServerProperties.Auth auth, String name, String password) {
        if (password.getBytes(StandardCharsets.UTF_8).length > LONGEST_PASSWORD) {
            return Optional.empty();
        }
        Optional<ServerProperties.User> user = Optional.ofNullable(auth.users().get(name));
        String hash = user.or(() -> auth.users().values().stream().findFirst())
                .map(ServerProperties.User::password)
                .orElse(NOBODY)
                .replace("{bcrypt}", "");
        return matches(name, password, hash) ? user : Optional.empty();
    }

    private boolean matches(String name, String password, String hash) {
        String key = digest(name + "\n" + hash + "\n" + password);
        synchronized (right) {
            if (right.containsKey(key)) {
                return true;
            }
        }
        // $2y$ is the name that other programs give to the same hash.
        boolean matches = encoder.matches(password, hash.replaceFirst("^\\$2[by]\\$", "\\$2a\\$"));
        if (matches) {
            synchronized (right) {
                right.put(key, true);
                if (right.size() > REMEMBERED) {
                    right.remove(right.keySet().iterator().next());
                }
            }
        }
        return matches;
    }

    private static String digest(String text) {
        try {
            return Arrays.toString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
