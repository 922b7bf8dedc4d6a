package io.redrive.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference of the configuration is written from the code: {@code -Ddocs=write} writes the page anew. */
final class ConfigurationReferenceTest {

    private static final Path PAGE = Path.of("../docs/guide/server-configuration.md");

    @Test
    void the_page_is_what_the_code_says() throws IOException {
        String page = page();
        if ("write".equals(System.getProperty("docs"))) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Configuration of the server

                Which keys does the configuration file of the server have? [Running the server](server.md) tells how the file is read, checked and
                watched. `NAME` is a name of your choice, `PATTERN` an event name or a pattern such as `order.*`. An environment variable overrides
                a key: `REDRIVE_` and the key in capitals, with `_` for dots and without hyphens, such as `REDRIVE_STORE_MAXPAYLOAD`. The keys of a
                policy are explained in [Configuration](configuration.md).

                | key | value | default | meaning |
                |---|---|---|---|
                """);
        for (SettingCatalog.Entry entry : SettingCatalog.entries()) {
            page.append("| `")
                    .append(entry.key())
                    .append("` | ")
                    .append(entry.type())
                    .append(" | ")
                    .append(entry.usual().isEmpty() ? "" : "`" + entry.usual() + "`")
                    .append(" | ")
                    .append(entry.description().replace("|", "\\|"))
                    .append(" |\n");
        }
        return page.toString().replace("|  |", "| |").replace("|  |", "| |");
    }
}
