package io.redrive.server.config;

import io.redrive.core.SettingException;
import io.redrive.jdbc.ConnectionSecrets;
import io.redrive.server.webhook.WebhookSettings;
import io.redrive.spring.CheckedSettings;
import io.redrive.spring.RedriveProperties;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.web.context.support.StandardServletEnvironment;

/**
 * The settings of one server. Options of the command line win over environment variables, these over the file, and the file over the
 * defaults. Immutable.
 */
public final class ServerConfiguration {

    /** The property source with the settings of the file. */
    static final String FILE_SOURCE = "redriveFile";

    private static final String OPTIONS_SOURCE = "redriveOptions";
    private static final String WEBHOOK_SOURCE = "redriveWebhooks";
    private static final String STORE = "REDRIVE_STORE";

    private final ConfigFile file;
    private final Map<String, String> variables;
    private final Map<String, String> options;

    private ServerConfiguration(ConfigFile file, Map<String, String> variables, Map<String, String> options) {
        this.file = file;
        this.variables = Map.copyOf(variables);
        this.options = Map.copyOf(options);
    }

    /** Returns the configuration of a file and of environment variables. */
    public static ServerConfiguration of(ConfigFile file, Map<String, String> variables) {
        return new ServerConfiguration(file, variables, storeOf(variables));
    }

    /** The command line reads {@code REDRIVE_STORE} as a file or a JDBC URL, and so does the server. */
    private static Map<String, String> storeOf(Map<String, String> variables) {
        String store = variables.getOrDefault(STORE, "");
        return store.isBlank() ? Map.of() : Map.of(storeKey(store), store);
    }

    private static String storeKey(String store) {
        return store.startsWith("jdbc:") ? "redrive.store.url" : "redrive.store.path";
    }

    /** Returns this configuration with an option of the command line, such as {@code redrive.http.port}. */
    public ServerConfiguration with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(key, value);
        return new ServerConfiguration(file, variables, more);
    }

    /** Returns this configuration with another store: a file, or a JDBC URL of PostgreSQL. */
    public ServerConfiguration withStore(String store) {
        return with(storeKey(store), store);
    }

    /** Returns the same options and variables with another file. */
    ServerConfiguration with(ConfigFile other) {
        return new ServerConfiguration(other, variables, options);
    }

    /** Returns the configuration file. */
    ConfigFile file() {
        return file;
    }

    /**
     * Returns a new environment with all settings.
     *
     * @throws SettingException when a route or a receiver is refused
     */
    public ConfigurableEnvironment environment() {
        ConfigurableEnvironment environment = new StandardServletEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.replace(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new TreeMap<>(variables)));
        sources.addFirst(new MapPropertySource(OPTIONS_SOURCE, new LinkedHashMap<>(options)));
        sources.addLast(fileSource());
        sources.addLast(new MapPropertySource(WEBHOOK_SOURCE, deliveryPolicies(environment)));
        return environment;
    }

    /** Returns the settings of the file as a property source. */
    MapPropertySource fileSource() {
        return new MapPropertySource(FILE_SOURCE, new LinkedHashMap<>(file.settings()));
    }

    /** The settings of a server after all checks. */
    public record Checked(RedriveProperties redrive, ServerProperties server) {}

    /**
     * Reads and checks all settings; opens nothing.
     *
     * @throws IllegalArgumentException for the first unknown key or refused value, with file and line, or with the variable
     */
    public Checked check() {
        try {
            ConfigurableEnvironment environment = environment();
            RedriveProperties redrive = CheckedSettings.of(environment);
            ServerProperties server = CheckedSettings.bind(environment, ServerProperties.class);
            ServerRules.check(server);
            return new Checked(redrive, server);
        } catch (SettingException e) {
            throw refusal(e);
        }
    }

    /** Returns the policies of deliveries as settings below those of the user. */
    private static Map<String, Object> deliveryPolicies(ConfigurableEnvironment environment) {
        Map<String, Object> sections = new LinkedHashMap<>();
        for (String section : WebhookSettings.SECTIONS) {
            Binder.get(environment)
                    .bind(ConfigFile.PREFIX + "." + section, Bindable.mapOf(String.class, Object.class))
                    .ifBound(value -> sections.put(section, value));
        }
        Map<String, Object> policies = new LinkedHashMap<>();
        try {
            WebhookSettings webhooks = WebhookSettings.read(sections);
            if (sections.containsKey("routes")) {
                webhooks.policies()
                        .forEach((pattern, settings) -> settings.forEach((key, value) ->
                                policies.put(ConfigFile.PREFIX + ".events.policies[" + pattern + "]." + key, value)));
            }
        } catch (SettingException e) {
            throw e.under(ConfigFile.PREFIX + ".");
        }
        return policies;
    }

    /** Returns the refusal with its place: file and line, or the variable, or the option. */
    IllegalArgumentException refusal(SettingException refused) {
        Optional<String> variable = variableOf(refused.key());
        if (variable.isPresent()) {
            return new IllegalArgumentException(
                    variable.get() + ": " + withoutSecret(refused, refused.complaint()), refused);
        }
        return file.refusal(refused, complaint -> withoutSecret(refused, complaint))
                .orElseGet(() -> new IllegalArgumentException(
                        refused.key().replaceFirst("^redrive\\.", "") + ": "
                                + withoutSecret(refused, refused.complaint()),
                        refused));
    }

    private Optional<String> variableOf(String key) {
        String name = key.replaceAll("[.\\[]", "_").replaceAll("[]-]", "").toUpperCase(Locale.ROOT);
        return Optional.of(name).filter(variables::containsKey);
    }

    private static String withoutSecret(SettingException refused, String complaint) {
        String shown = SecretKeys.isSecret(refused.key()) && !refused.value().isEmpty()
                ? complaint.replace(refused.value(), SecretKeys.HIDDEN)
                : complaint;
        return ConnectionSecrets.hidden(shown);
    }
}
