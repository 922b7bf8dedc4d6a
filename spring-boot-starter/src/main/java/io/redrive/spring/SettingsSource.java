package io.redrive.spring;

import io.redrive.core.RetryVariables;
import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Reads the settings from the environment, and keeps changes at run time as a property source of the environment. */
final class SettingsSource {

    private static final Log LOG = LogFactory.getLog(SettingsSource.class);
    private static final String NAME = "redriveChanges";
    private static final List<ConfigurationPropertyName> CHANGEABLE = List.of(
            ConfigurationPropertyName.of("redrive.policies"),
            ConfigurationPropertyName.of("redrive.budgets"),
            ConfigurationPropertyName.of("redrive.events.policies"));

    private final ConfigurableEnvironment environment;

    SettingsSource(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    /** Refuses the first unknown key with a {@link SettingException}. */
    void check() {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource keys) {
                checkLetters(keys.getUnderlyingSource());
                keys.stream().filter(SettingKeys.ROOT::isAncestorOf).forEach(name -> check(name, keys));
            }
        }
    }

    /** Returns the settings; an unknown key or a value of another type is a {@link SettingException}. */
    RedriveProperties read() {
        check();
        try {
            return Binder.get(environment).bindOrCreate("redrive", RedriveProperties.class);
        } catch (BindException e) {
            throw refusal(e);
        }
    }

    /** Returns the non-blank {@code RETRY_*} variables. */
    Map<String, String> variables() {
        Map<String, String> set = new LinkedHashMap<>();
        for (String variable : RetryVariables.names()) {
            String value = environment.getProperty(variable);
            if (value != null && !value.isBlank()) {
                set.put(variable, value);
            }
        }
        return set;
    }

    /** Overrides the value of {@code key}; null removes an earlier override. Returns an action to undo the call. */
    Runnable change(String key, @Nullable String value) {
        SettingKeys.checkLetters(key, text(value));
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key.trim(), '.');
        if (CHANGEABLE.stream().noneMatch(changeable -> changeable.isAncestorOf(name))) {
            throw SettingException.of(
                    key,
                    "needs a restart; settings that can change at run time are below "
                            + CHANGEABLE.stream().map(Objects::toString).collect(Collectors.joining(", ")),
                    text(value));
        }
        SettingKeys.check(name, text(value));
        Map<String, Object> changes = changes();
        String canonical = name.toString();
        if (value == null && !changes.containsKey(canonical)) {
            throw SettingException.of(key, "has no change to undo; give a value", "");
        }
        Object before = value == null ? changes.remove(canonical) : changes.put(canonical, value);
        return () -> {
            if (before == null) {
                changes.remove(canonical);
            } else {
                changes.put(canonical, before);
            }
        };
    }

    private static void checkLetters(@Nullable Object source) {
        if (source instanceof EnumerablePropertySource<?> named) {
            for (String key : named.getPropertyNames()) {
                if (key.startsWith("redrive.")) {
                    SettingKeys.checkLetters(key, text(named.getProperty(key)));
                }
            }
        }
    }

    /**
     * Logs only a warning for environment variables: shells, launchers and clusters set variables beginning with REDRIVE_
     * for different purposes, for example REDRIVE_SERVICE_HOST.
     */
    private static void check(ConfigurationPropertyName name, IterableConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        String value = text(property == null ? null : property.getValue());
        try {
            SettingKeys.check(name, value);
        } catch (SettingException e) {
            if (!(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                throw e;
            }
            e.suggestion()
                    .ifPresent(known -> LOG.warn("The environment variable for " + e.key()
                            + " is ignored, because there is no such setting; did you mean " + known + "?"));
        }
    }

    /** Returns a value of another type as a refused setting. */
    static SettingException refusal(BindException e) {
        Object value = e.getProperty() == null ? "" : e.getProperty().getValue();
        return SettingException.of(
                e.getName().toString(), rule(e.getTarget().getType().resolve(Object.class)), text(value));
    }

    private static String rule(Class<?> type) {
        if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
            return "must be a whole number";
        }
        if (type == Double.class) {
            return "must be a number";
        }
        if (type == Duration.class) {
            return "must be a duration such as 500ms, 30s or 5m";
        }
        if (type.isEnum()) {
            return "must be one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return type == Boolean.class || type == boolean.class
                ? "must be true or false"
                : "must be a " + type.getSimpleName();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private Map<String, Object> changes() {
        if (environment.getPropertySources().get(NAME) instanceof MapPropertySource known) {
            return known.getSource();
        }
        MapPropertySource fresh = new MapPropertySource(NAME, new ConcurrentHashMap<>());
        environment.getPropertySources().addFirst(fresh);
        return fresh.getSource();
    }
}
