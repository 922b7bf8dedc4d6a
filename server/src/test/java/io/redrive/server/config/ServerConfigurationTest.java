package io.redrive.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerConfigurationTest {

    private static final String HASH = "$2a$10$7EqJtq98hPqEX7fNZaFWoOhi5BWX4Z1bDqkhpZ6h9XbRhLxZ0KqGu";

    @TempDir
    Path folder;

    private ServerConfiguration read(String yaml, Map<String, String> variables) {
        try {
            return ServerConfiguration.of(
                    ConfigFile.read(Files.writeString(folder.resolve("redrive.yml"), yaml)), variables);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void refused(String yaml, String... parts) {
        assertThatThrownBy(() -> read(yaml, Map.of()).check())
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(parts));
    }

    @Test
    void a_server_without_a_file_has_defaults() {
        ServerConfiguration.Checked checked =
                ServerConfiguration.of(ConfigFile.none(), Map.of()).check();

        assertThat(checked.server().http().address()).isEqualTo("127.0.0.1");
        assertThat(checked.server().http().port()).isEqualTo(8080);
        assertThat(checked.server().auth().isRequired()).isFalse();
        assertThat(checked.redrive().store().path()).hasToString("redrive.db");
    }

    @Test
    void an_empty_file_and_keys_without_values_are_the_defaults() {
        assertThat(read("", Map.of()).check().server().http().port()).isEqualTo(8080);
        assertThat(read("http:\nauth:\n", Map.of()).check().server().http().port())
                .isEqualTo(8080);
    }

    @Test
    void the_file_sets_sections_of_server_and_starter() {
        ServerConfiguration.Checked checked = read("""
                        store: {path: shop.db, max-payload: 2MB}
                        http: {port: 9000}
                        limits: {page: 50, body: 1MB}
                        events:
                          policies:
                            order.*: {max-attempts: 7}
                          budgets:
                            order.*: bank
                        budgets:
                          bank: {share: 0.2}
                        """, Map.of()).check();

        assertThat(checked.server().http().port()).isEqualTo(9000);
        assertThat(checked.server().limits().page()).isEqualTo(50);
        assertThat(checked.redrive().store().path()).hasToString("shop.db");
        assertThat(checked.redrive().events().policies()).containsOnlyKeys("order.*");
    }

    @Test
    void a_misspelled_key_is_refused_with_line_value_and_the_nearest_key() {
        refused("http:\n  prot: 9000\n", "redrive.yml:2", "http.prot", "did you mean 'port'?");
        refused("htpp:\n  port: 9000\n", "redrive.yml:2", "htpp", "did you mean 'http'?");
        refused(
                "events:\n  policies:\n    order.*:\n      max-atempts: 7\n",
                "redrive.yml:4",
                "order.*",
                "did you mean 'max-attempts'?");
    }

    @Test
    void a_wrong_value_is_refused_with_line_value_and_rule() {
        refused("http: {port: eighty}", "redrive.yml:1", "http.port", "must be a whole number", "'eighty'");
        refused("http: {port: 70000}", "redrive.yml:1", "http.port", "must be 0 to 65535", "'70000'");
        refused("limits:\n  page: 0\n", "redrive.yml:2", "limits.page", "must be at least 1", "'0'");
        refused("limits: {idle: 0s}", "limits.idle", "between 100ms and 1h");
        refused("policies:\n  bank:\n    max-attempts: 0\n", "redrive.yml:3", "must be at least 1", "'0'");
        refused("events:\n  budgets:\n    order.*: bnak\n", "redrive.yml:3", "no budget 'bnak'");
        refused("log: {format: xml}", "log.format", "must be one of text, json", "'xml'");
    }

    @Test
    void a_file_of_another_shape_is_refused() {
        refused("- a\n- b\n", "redrive.yml:1", "must be a mapping");
        refused("just text", "redrive.yml:1", "must be a mapping");
        refused("http: {port: 1\n", "redrive.yml", "not valid YAML");
        refused("http: {port: 1}\nhttp: {port: 2}\n", "redrive.yml", "http");
        refused("store: [a, b]", "redrive.yml:1", "store");
    }

    @Test
    void a_folder_or_a_missing_file_is_refused() {
        assertThatThrownBy(() -> ConfigFile.read(folder)).hasMessageContaining("must be readable");
        assertThatThrownBy(() -> ConfigFile.read(folder.resolve("none.yml")))
                .hasMessageContaining("must name a file that exists");
    }

    @Test
    void an_alias_bomb_is_refused() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 9; i++) {
            yaml.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(9) + "x]\n");
        }

        refused(yaml.toString(), "not valid YAML", "aliases");
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0", "'::'", "192.0.2.1"})
    void an_address_that_other_machines_reach_is_refused_without_auth(String address) {
        refused("http:\n  address: '" + address + "'\n", "redrive.yml:2", "http.address", "auth.users", "127.0.0.1");
    }

    @Test
    void an_address_that_other_machines_reach_is_accepted_with_auth() {
        String users = "auth: {users: {ann: {role: admin, password: '" + HASH + "'}}}\n";

        assertThat(read("http: {address: 0.0.0.0}\n" + users, Map.of())
                        .check()
                        .server()
                        .auth()
                        .isRequired())
                .isTrue();
        assertThat(read("http: {address: 0.0.0.0}\nauth: {required: true}\n", Map.of())
                        .check()
                        .server()
                        .http()
                        .address())
                .isEqualTo("0.0.0.0");
        refused("http: {address: 0.0.0.0}\nauth: {required: false}\n", "http.address");
    }

    @Test
    void a_password_in_the_clear_is_refused_and_never_shown() {
        assertThatThrownBy(() -> read("auth: {users: {ann: {role: admin, password: hunter2-secret}}}", Map.of())
                        .check())
                .hasMessageContaining("must be a bcrypt hash")
                .hasMessageNotContaining("hunter2-secret");
        refused("auth: {users: {ann: {role: admin}}}", "must have a password");
        refused("auth: {users: {ann: {role: king, password: '" + HASH + "'}}}", "role", "must be one of");
    }

    @Test
    void variables_override_the_file() {
        ServerConfiguration configuration = read(
                "http: {port: 9000}",
                Map.of("REDRIVE_HTTP_PORT", "9001", "REDRIVE_STORE", "/tmp/other.db", "RETRY_MAX_ATTEMPTS", "9"));

        assertThat(configuration.check().server().http().port()).isEqualTo(9001);
        assertThat(configuration.check().redrive().store().path()).hasToString("/tmp/other.db");
        assertThat(configuration
                        .with("redrive.http.port", "9002")
                        .check()
                        .server()
                        .http()
                        .port())
                .isEqualTo(9002);
        assertThatThrownBy(() -> read("", Map.of("REDRIVE_HTTP_PORT", "many")).check())
                .hasMessageContaining("REDRIVE_HTTP_PORT")
                .hasMessageContaining("must be a whole number");
        assertThatThrownBy(() -> read("", Map.of("RETRY_MAX_ATTEMPTS", "0")).check())
                .hasMessageContaining("RETRY_MAX_ATTEMPTS");
    }

    @Test
    void the_effective_settings_have_their_places_and_hide_secrets() {
        ServerConfiguration configuration = read("""
                store: {url: 'jdbc:postgresql://localhost/shop?user=shop&password=hunter2'}
                limits:
                  page: 50
                auth: {users: {ann: {role: admin, password: '%s'}}}
                """.formatted(HASH), Map.of("REDRIVE_HTTP_PORT", "9001"));

        String shown = String.join(
                "\n",
                EffectiveSettings.of(configuration).stream()
                        .map(Object::toString)
                        .toList());
        assertThat(shown)
                .contains("limits.page = 50   # redrive.yml:3")
                .contains("http.port = 9001   # REDRIVE_HTTP_PORT")
                .contains("http.address = 127.0.0.1   # default")
                .contains("auth.users.ann.role = admin   # redrive.yml:4")
                .contains("store.url = jdbc:postgresql://localhost/shop?user=shop&password=***")
                .doesNotContain("hunter2")
                .doesNotContain(HASH);
    }

    @Test
    void defaults_that_follow_from_other_settings_are_shown_as_they_hold() {
        List<String> shown = EffectiveSettings.of(read("pipeline: {profile: standard, lease: 40s}", Map.of())).stream()
                .map(Object::toString)
                .toList();
        assertThat(shown)
                .contains(
                        "pipeline.claim-size = 50   # default",
                        "pipeline.lease = 40s   # redrive.yml:1",
                        "pipeline.processors = 64   # default",
                        "alerts.window = 5m   # default",
                        "automatic-redrive.reasons = timeout   # default",
                        "store.max-payload = 1MB   # default",
                        "store.url = (not set)   # default")
                .noneMatch(line -> line.contains("(depends)"));
    }

    @Test
    void routes_of_webhooks_are_checked_with_their_lines() {
        ServerConfiguration.Checked checked = read("""
                        routes:
                          billing:
                            events: [order.*]
                            url: https://billing.example.com/hooks
                            signature: none
                            retry: {max-attempts: 4}
                        """, Map.of()).check();

        assertThat(checked.redrive().events().policies()).containsKeys("webhook.*", "webhook.billing");
        refused("routes:\n  billing:\n    events: [order.*]\n    ulr: https://x.example.com\n", "redrive.yml:4", "ulr");
    }

    @Test
    void half_a_certificate_is_refused() {
        refused("http: {tls: {certificate: a.pem}}", "http.tls", "must have both certificate and private-key");
        refused("http: {tls: {certificate: a.pem, private-key: b.pem}}", "must name a readable PEM file");
    }
}
