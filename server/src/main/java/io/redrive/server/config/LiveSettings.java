package io.redrive.server.config;

import java.util.List;
import org.springframework.core.env.ConfigurableEnvironment;

/** A bean whose settings change while the server runs. */
public interface LiveSettings {

    /** Returns the keys that may change, such as {@code redrive.routes}; each includes the keys below. */
    List<String> keys();

    /**
     * Uses the changed settings. All settings were checked before.
     *
     * @throws io.redrive.core.SettingException when a value is refused after all: the server goes back to the settings before
     */
    void use(ConfigurableEnvironment environment);
}
