package io.redrive.server.webhook;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Reads the settings of webhooks from the settings of the server. */
public final class BoundWebhooks {

    private BoundWebhooks() {}

    /**
     * Returns the settings of the sections below {@code redrive}.
     *
     * @throws io.redrive.core.SettingException for an unknown key or a bad value, with key, rule and value
     */
    public static WebhookSettings read(Environment environment) {
        Map<String, Object> sections = new HashMap<>();
        for (String section : WebhookSettings.SECTIONS) {
            Binder.get(environment)
                    .bind("redrive." + section, Bindable.mapOf(String.class, Object.class))
                    .ifBound(value -> sections.put(section, value));
        }
        return WebhookSettings.read(sections);
    }
}
