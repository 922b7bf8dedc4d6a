package io.redrive.spring;

import io.redrive.events.cause.ServiceVersion;
import java.util.Optional;
import java.util.UUID;
import org.springframework.core.env.Environment;

/**
 * The names of this application and process.
 *
 * @param service the name of the application
 * @param node the name of this process
 * @param version the version of the application, if known
 */
public record RedriveNames(String service, String node, Optional<String> version) {

    /** Spring Boot reads this property from the manifest; a text there that is no version is no mistake of the settings. */
    private static Optional<String> manifest(Environment environment) {
        return ServiceVersion.parse(environment.getProperty("spring.application.version", ""))
                .map(ServiceVersion::text);
    }

    static RedriveNames of(RedriveProperties properties, Environment environment) {
        String application = environment.getProperty("spring.application.name", "");
        String usual = application.isBlank() ? "redrive" : application;
        return new RedriveNames(
                OptionalSetting.orDefault(properties.service(), usual),
                OptionalSetting.orDefault(properties.node(), "node-" + UUID.randomUUID()),
                Optional.ofNullable(properties.version()).or(() -> manifest(environment)));
    }
}
