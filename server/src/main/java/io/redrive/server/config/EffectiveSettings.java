package io.redrive.server.config;

import io.redrive.spring.CheckedSettings;
import io.redrive.spring.DerivedDefaults;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The settings of a configuration as they hold, each with its place. Secrets are hidden. */
public final class EffectiveSettings {

    private static final String DEFAULT = "default";

    private EffectiveSettings() {}

    /**
     * One setting in force.
     *
     * @param key the key in the configuration file
     * @param value the value, hidden for a secret; empty when nobody set the key and it has no default
     * @param place file and line, or variable, or {@code default}
     */
    public record Setting(String key, String value, String place) {

        /** Returns true when nobody set the value. */
        public boolean isDefault() {
            return place.equals(DEFAULT);
        }

        @Override
        public String toString() {
            return key + " = " + (value.isEmpty() ? "(not set)" : value) + "   # " + place;
        }
    }

    /** Returns all settings, sorted by key. */
    public static List<Setting> of(ServerConfiguration configuration) {
        Map<String, Setting> settings = new TreeMap<>();
        ConfigurableEnvironment environment = configuration.environment();
        Map<String, String> derived = derived(configuration);
        for (SettingCatalog.Entry entry : SettingCatalog.entries()) {
            if (!entry.isBelowName()) {
                settings.put(entry.key(), setting(entry, environment, configuration.file(), derived));
            }
        }
        configuration.file().settings().forEach((key, value) -> {
            String shown = key.substring(ConfigFile.PREFIX.length() + 1);
            settings.putIfAbsent(
                    shown,
                    new Setting(
                            shown,
                            SecretKeys.shown(key, value),
                            configuration.file().placeOf(key)));
        });
        return List.copyOf(settings.values());
    }

    /** Returns the defaults that follow from the settings of this configuration, such as the sizes of its profile. */
    private static Map<String, String> derived(ServerConfiguration configuration) {
        ConfigurableEnvironment environment = configuration.environment();
        environment.getPropertySources().addLast(new PropertiesPropertySource("own", SettingCatalog.ownDefaults()));
        return DerivedDefaults.of(CheckedSettings.of(environment));
    }

    private static Setting setting(
            SettingCatalog.Entry entry,
            ConfigurableEnvironment environment,
            ConfigFile file,
            Map<String, String> derived) {
        String key = ConfigFile.PREFIX + "." + entry.key();
        ConfigurationPropertyName name = ConfigurationPropertyName.of(key);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return new Setting(
                        entry.key(), SecretKeys.shown(key, String.valueOf(found.getValue())), place(source, key, file));
            }
        }
        return new Setting(entry.key(), derived.getOrDefault(entry.key(), entry.usual()), DEFAULT);
    }

    private static String place(ConfigurationPropertySource source, String key, ConfigFile file) {
        if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
            return key.replace('.', '_').replace("-", "").toUpperCase(Locale.ROOT);
        }
        return source.getUnderlyingSource() instanceof org.springframework.core.env.PropertySource<?> named
                        && named.getName().equals(ServerConfiguration.FILE_SOURCE)
                ? file.placeOf(key)
                : "option or variable";
    }
}
