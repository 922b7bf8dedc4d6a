package io.redrive.server.config;

import io.redrive.core.SettingException;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Puts a changed configuration file into force. All or nothing: a file with a mistake, or with a change that needs a restart, is
 * refused, and the settings before stay. Thread-safe.
 */
public final class ConfigurationReload {

    private static final Log LOG = LogFactory.getLog(ConfigurationReload.class);
    private static final int KEYS_RECORDED = 20;

    private final ConfigurableEnvironment environment;
    private final EventStore store;
    private final List<LiveSettings> live;
    private final Time time;
    private final @Nullable Path path;
    private ServerConfiguration current;
    private State state;

    /**
     * How the configuration stands.
     *
     * @param file the file; empty without a file
     * @param loaded when the settings in force were loaded
     * @param refusal why the file as it is now was refused; empty when the file is in force
     */
    public record State(Optional<Path> file, Instant loaded, Optional<String> refusal) {}

    /** Reloads {@code path}; null for a server without a file. */
    public ConfigurationReload(
            ServerConfiguration current,
            @Nullable Path path,
            ConfigurableEnvironment environment,
            EventStore store,
            List<LiveSettings> live,
            Time time) {
        this.current = current;
        this.path = path;
        this.environment = environment;
        this.store = store;
        this.live = List.copyOf(live);
        this.time = time;
        state = new State(Optional.ofNullable(path), time.now(), Optional.empty());
    }

    /** Returns how the configuration stands. */
    public synchronized State state() {
        return state;
    }

    /** Returns the file to watch; null for a server without a file. */
    @Nullable
    Path path() {
        return path;
    }

    /** Reads the file again. A refusal is logged and kept in {@link #state()}; the settings before stay in force. */
    public synchronized void reload() {
        Path file = Objects.requireNonNull(path, "a server without a file has nothing to reload");
        try {
            ServerConfiguration next = current.with(ConfigFile.read(file));
            next.check();
            Set<String> changed = changed(current.file().settings(), next.file().settings());
            requireLive(changed, next);
            use(next);
            state = new State(Optional.of(file), time.now(), Optional.empty());
            if (!changed.isEmpty()) {
                record(changed, file);
            }
        } catch (IllegalArgumentException e) {
            state = new State(Optional.of(file), state.loaded(), Optional.of(String.valueOf(e.getMessage())));
            LOG.error("The changed configuration is refused, and the settings before stay in force: " + e.getMessage());
        }
    }

    private static Set<String> changed(Map<String, String> before, Map<String, String> after) {
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
        return keys;
    }

    private void requireLive(Set<String> changed, ServerConfiguration next) {
        for (String key : changed) {
            if (live.stream().flatMap(each -> each.keys().stream()).noneMatch(prefix -> isBelow(key, prefix))) {
                throw next.refusal(SettingException.of(
                        key,
                        "was " + (next.file().settings().containsKey(key) ? "changed" : "removed")
                                + ", which needs a restart of the server",
                        ""));
            }
        }
    }

    private static boolean isBelow(String key, String prefix) {
        return key.startsWith(prefix)
                && (key.length() == prefix.length() || ".[".indexOf(key.charAt(prefix.length())) >= 0);
    }

    private void use(ServerConfiguration next) {
        try {
            switchTo(next);
        } catch (RuntimeException e) {
            switchTo(current);
            throw e instanceof SettingException refused
                    ? next.refusal(refused)
                    : new IllegalArgumentException(e.getMessage(), e);
        }
        current = next;
    }

    private void switchTo(ServerConfiguration next) {
        environment.getPropertySources().replace(ServerConfiguration.FILE_SOURCE, next.fileSource());
        live.forEach(each -> each.use(environment));
    }

    private void record(Set<String> changed, Path file) {
        String some = changed.stream()
                .limit(KEYS_RECORDED)
                .map(key -> key.substring(ConfigFile.PREFIX.length() + 1))
                .collect(Collectors.joining(", "));
        String keys =
                changed.size() > KEYS_RECORDED ? some + " and " + (changed.size() - KEYS_RECORDED) + " more" : some;
        LOG.info("The changed configuration is in force: " + keys);
        Operator server = new Operator("configuration", Role.ADMIN, "file " + file.getFileName());
        Operations.of(store, server, time).recordConfiguration(keys);
    }
}
