package io.redrive.spring;

import io.redrive.core.SettingException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Tells of a refused setting with key, value, origin and rule, in place of a stack trace. */
final class SettingFailureAnalyzer extends AbstractFailureAnalyzer<SettingException> {

    private final Environment environment;

    SettingFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SettingException cause) {
        StringBuilder description = new StringBuilder("A setting is refused:\n");
        line(description, "Key", cause.key());
        line(description, "Value", cause.value());
        line(description, "Origin", origin(cause.key()));
        line(description, "Rule", cause.rule());
        String action = cause.suggestion()
                .map(known -> "Did you mean " + known + "?")
                .orElse("Correct the setting, or remove it.");
        return new FailureAnalysis(description.toString(), action, cause);
    }

    private static void line(StringBuilder description, String what, String text) {
        if (!text.isEmpty()) {
            description.append("\n    ").append(what).append(": ").append(text);
        }
    }

    private String origin(String key) {
        ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null && property.getOrigin() != null) {
                return property.getOrigin().toString();
            }
        }
        return "";
    }
}
