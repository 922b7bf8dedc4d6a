package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Kafka's client declares slf4j 1.7, and the logging frameworks of today bind slf4j 2: with 1.7 the lines of the client would be lost. */
final class LoggingVersionTest {

    @Test
    void the_client_logs_through_slf4j_2() throws Exception {
        URL jar = Class.forName("org.slf4j.LoggerFactory")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
        assertThat(jar.getPath()).matches(".*/slf4j-api-2\\.[0-9.]+\\.jar");
    }

    @Test
    void users_of_the_module_get_the_same_version_because_the_nearest_declaration_counts() throws Exception {
        String pom = Files.readString(Path.of("pom.xml")).replaceAll("\\s+", "");
        assertThat(pom)
                .contains(
                        "<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><scope>runtime</scope>");
    }
}
