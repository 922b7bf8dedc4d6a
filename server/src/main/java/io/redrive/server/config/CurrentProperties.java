package io.redrive.server.config;

import io.redrive.spring.CheckedSettings;
import java.util.List;
import org.springframework.core.env.ConfigurableEnvironment;

/** The settings of the server that hold now: users and most limits change while the server runs. Thread-safe. */
public final class CurrentProperties implements LiveSettings {

    private volatile ServerProperties properties;

    /** Begins with the settings at the start. */
    public CurrentProperties(ServerProperties properties) {
        this.properties = properties;
    }

    /** Returns the settings in force. */
    public ServerProperties get() {
        return properties;
    }

    @Override
    public List<String> keys() {
        return List.of(
                "redrive.auth.required",
                "redrive.auth.users",
                "redrive.auth.oidc.roles",
                "redrive.auth.oidc.name-claim",
                "redrive.auth.oidc.roles-claim",
                "redrive.auth.oidc.names-claim",
                "redrive.limits.body",
                "redrive.limits.body-time",
                "redrive.limits.events",
                "redrive.limits.page",
                "redrive.limits.streams",
                "redrive.limits.login-attempts");
    }

    @Override
    public void use(ConfigurableEnvironment environment) {
        properties = CheckedSettings.bind(environment, ServerProperties.class);
    }
}
