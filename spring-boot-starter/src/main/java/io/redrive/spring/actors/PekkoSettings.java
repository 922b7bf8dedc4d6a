package io.redrive.spring.actors;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Pekko's settings, from Spring's environment, {@code application.conf} and {@link #DEFAULTS}, in this order. */
final class PekkoSettings {

    /** The application context terminates the actor system; Pekko's own shutdown hook would race with it. */
    private static final Config DEFAULTS =
            ConfigFactory.parseString("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off");

    private static final String PREFIX = "pekko";

    private PekkoSettings() {}

    static Config in(Environment environment) {
        Map<String, Object> settings = Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        Config spring =
                ConfigValueFactory.fromMap(settings, "Spring's environment").atPath(PREFIX);
        return ConfigFactory.load(
                spring.withFallback(ConfigFactory.defaultApplication()).withFallback(DEFAULTS));
    }
}
