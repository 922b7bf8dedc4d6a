package io.redrive.server.access;

import io.redrive.core.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts wrong passwords and tokens by address and by name, within five minutes. Above the limit even the right password is refused, so
 * that guessing tells nothing. Thread-safe.
 */
final class LoginGuard {

    static final Duration WINDOW = Duration.ofMinutes(5);
    private static final int MOST_KEYS = 10_000;
    /** Names may be guessed at from many addresses, and a stranger must not lock a person out with a few requests. */
    private static final int NAME_FACTOR = 10;

    private final Time time;
    private final Map<String, Deque<Instant>> wrong = new LinkedHashMap<>();

    LoginGuard(Time time) {
        this.time = time;
    }

    /** Returns true when the address or the name has too many wrong attempts. */
    synchronized boolean isBlocked(String address, String name, int limit) {
        return count("address " + address) >= limit
                || !name.isEmpty() && count("name " + name) >= (long) limit * NAME_FACTOR;
    }

    private int count(String key) {
        Deque<Instant> times = wrong.get(key);
        if (times == null) {
            return 0;
        }
        Instant oldest = time.now().minus(WINDOW);
        while (!times.isEmpty() && times.peekFirst().isBefore(oldest)) {
            times.removeFirst();
        }
        if (times.isEmpty()) {
            wrong.remove(key);
        }
        return times.size();
    }

    /** Notes a wrong attempt. */
    synchronized void failed(String address, String name, int limit) {
        note("address " + address, limit);
        if (!name.isEmpty()) {
            note("name " + name, limit * NAME_FACTOR);
        }
    }

    private void note(String key, int most) {
        Deque<Instant> times = wrong.computeIfAbsent(key, unknown -> new ArrayDeque<>());
        times.addLast(time.now());
        while (times.size() > most) {
            times.removeFirst();
        }
        if (wrong.size() > MOST_KEYS) {
            wrong.remove(wrong.keySet().iterator().next());
        }
    }
}
