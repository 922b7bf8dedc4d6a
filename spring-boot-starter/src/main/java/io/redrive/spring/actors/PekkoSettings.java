package io.redrive.spring.actors;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Pekko's settings: those of Spring's environment first, then {@code application.conf}, then what suits an application. */
final class PekkoSettings {

    /** The application context ends the actor system; both at once, at the end of the process, would race. */
    private static final Config USUAL =
            ConfigFactory.parseString("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off");

    private static final String PREFIX = "pekko";

    private PekkoSettings() {}

    static Config in(Environment environment) {
        Map<String, Object> given = Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of());
        Config spring =
                ConfigValueFactory.fromMap(given, "Spring's environment").atPath(PREFIX);
        return ConfigFactory.load(
                spring.withFallback(ConfigFactory.defaultApplication()).withFallback(USUAL));
    }
}
