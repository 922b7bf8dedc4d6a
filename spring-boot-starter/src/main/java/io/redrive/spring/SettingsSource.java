package io.redrive.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** The settings as the environment has them now, and a place in it for what is changed at run time. */
final class SettingsSource {

    private static final String NAME = "redriveChanges";
    private static final List<String> CHANGEABLE =
            List.of("redrive.policies.", "redrive.budgets.", "redrive.events.policies.");

    private final ConfigurableEnvironment environment;

    SettingsSource(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    RedriveProperties read() {
        return Binder.get(environment).bindOrCreate("redrive", RedriveProperties.class);
    }

    /** Puts a value over that of the environment; null takes one back that was put there. Returns what was there before. */
    String change(String key, String value) {
        if (CHANGEABLE.stream().noneMatch(key::startsWith)) {
            throw new IllegalArgumentException("what changes at run time begins with one of "
                    + String.join(", ", CHANGEABLE) + "; got '" + key + "', which needs a restart");
        }
        Object before = value == null ? changes().remove(key) : changes().put(key, value);
        return before == null ? null : before.toString();
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
