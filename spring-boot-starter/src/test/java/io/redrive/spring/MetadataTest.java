package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The configuration metadata, from which an IDE describes the settings. */
final class MetadataTest {

    private static JsonNode metadata() throws IOException {
        try (InputStream file =
                MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return new JsonMapper().readTree(file);
        }
    }

    @Test
    void every_setting_has_a_description_in_the_metadata() throws IOException {
        List<String> names = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        for (JsonNode property : metadata().get("properties")) {
            names.add(property.get("name").asString());
            if (!property.has("description")) {
                silent.add(property.get("name").asString());
            }
        }
        assertThat(names)
                .contains(
                        "redrive.store.type",
                        "redrive.policies",
                        "redrive.pipeline.critical.handlers",
                        "redrive.automatic-redrive.after",
                        "management.health.redrive.enabled");
        assertThat(silent).isEmpty();
    }

    @Test
    void settings_with_named_values_have_hints() throws IOException {
        List<String> hinted = new ArrayList<>();
        metadata().get("hints").forEach(hint -> hinted.add(hint.get("name").asString()));
        assertThat(hinted).contains("redrive.pipeline.profile", "redrive.policies.keys");
    }
}
