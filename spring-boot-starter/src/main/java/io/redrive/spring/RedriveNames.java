package io.redrive.spring;

import java.util.UUID;
import org.springframework.core.env.Environment;

/** The names of this application (service) and of this process (node). */
record RedriveNames(String service, String node) {

    static RedriveNames of(RedriveProperties properties, Environment environment) {
        String application = environment.getProperty("spring.application.name", "");
        String usual = application.isBlank() ? "redrive" : application;
        return new RedriveNames(
                OptionalSetting.orDefault(properties.service(), usual),
                OptionalSetting.orDefault(properties.node(), "node-" + UUID.randomUUID()));
    }
}
