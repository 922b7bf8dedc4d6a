package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.SettingException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteReaderTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static Map<String, Object> route(Object... more) {
        Map<String, Object> route =
                new HashMap<>(Map.of("events", List.of("order.*"), "url", "https://shop.example/hooks"));
        for (int i = 0; i < more.length; i += 2) {
            route.put((String) more[i], more[i + 1]);
        }
        return route;
    }

    private static Route read(Map<String, Object> route) {
        return RouteReader.read(Map.of("billing", route)).get("billing");
    }

    @Test
    void a_route_needs_events_and_a_url_and_the_rest_has_defaults() {
        Route route = read(route());

        assertThat(route.eventName()).isEqualTo("webhook.billing");
        assertThat(route.signing()).isEqualTo(new Route.Signing("v1", java.util.Optional.empty(), Duration.ofDays(1)));
        assertThat(route.limits())
                .isEqualTo(new Route.Limits(
                        10, java.util.Optional.empty(), Duration.ofSeconds(15), true, java.util.Optional.empty()));
    }

    @Test
    void values_of_flat_properties_are_read_like_yaml() {
        Route route = read(Map.of(
                "events", Map.of("1", "b.*", "0", "a.*"),
                "url", "https://shop.example/hooks",
                "concurrency", "3",
                "rate", "2.5",
                "time-limit", "2s"));

        assertThat(route.events()).extracting(Object::toString).containsExactly("a.*", "b.*");
        assertThat(route.limits().rate()).contains(2.5);
        assertThat(route.limits().timeLimit()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void the_scheme_follows_the_secret_and_no_text_shows_the_secret() {
        Route route = read(route("secret", SECRET, "headers", Map.of("X-Api-Key", "hunter2")));

        assertThat(route.signing().scheme()).isEqualTo("v1");
        assertThat(route.toString()).doesNotContain(SECRET).doesNotContain("hunter2");
        assertThat(read(route("url", "https://shop.example/hooks?key=hunter2")).toString())
                .doesNotContain("hunter2");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("url", "http://shop.example/hooks", "must begin with https://"),
                Arguments.of("url", "https://shop.example/hooks ", "without spaces"),
                Arguments.of("url", " https://shop.example/hooks", "without spaces"),
                Arguments.of("url", "https://shop.example/hooks\r\nX-Evil: 1", "without spaces"),
                Arguments.of("url", "https://ann:pw@shop.example/hooks", "no user name and password"),
                Arguments.of("url", "https://ann@shop.example/hooks", "no user name and password"),
                Arguments.of("url", "https://shop.example/hooks#top", "no part after #"),
                Arguments.of("url", "https:///hooks", "must name a host"),
                Arguments.of("url", "https://shop.example:0/", "must name a host, and a port"),
                Arguments.of("url", "https://shop.example:70000/", "must name a host, and a port"),
                Arguments.of("url", "ftp://shop.example/", "must begin with https://"),
                Arguments.of("url", "file:///etc/passwd", "must begin with https://"),
                Arguments.of("url", "shop.example", "must begin with https://"),
                Arguments.of("url", "https://shop.example/" + "x".repeat(2_000), "at most 2000 characters"),
                Arguments.of("url", "", "must be the https:// address"),
                Arguments.of("events", List.of(), "must list event names"),
                Arguments.of("events", List.of("order.*", "webhook.billing"), "must not match webhook.*"),
                Arguments.of("events", "webhook.*", "must not match webhook.*"),
                Arguments.of("events", "webhook", "must not match webhook.*"),
                Arguments.of("events", "order*", "name pattern must be"),
                Arguments.of("signature", "v2", "must be one of v1, v1a, none"),
                Arguments.of("signature", "v1a", "must be v1, the scheme of the secret"),
                Arguments.of("signature", "none", "must be left out with signature: none"),
                Arguments.of("grace", "8d", "must be a duration from 0ms to 7d"),
                Arguments.of("grace", "-1s", "must be a duration"),
                Arguments.of("concurrency", 0, "whole number from 1 to 1000"),
                Arguments.of("concurrency", "many", "whole number from 1 to 1000"),
                Arguments.of("rate", 0, "must be a number"),
                Arguments.of("rate", "NaN", "must be a number"),
                Arguments.of("time-limit", "20s", "must be a duration from 100ms to 15s"),
                Arguments.of("order", "strict", "must be one of key, none"),
                Arguments.of("retry-budget", 2, "must be a number from 0.01 to 1.0"),
                Arguments.of("retry", Map.of("max-attempts", 0), "must be at least 1"),
                Arguments.of("retry", Map.of("max-atempts", 3), "max-attempts"),
                Arguments.of("headers", Map.of("X-A", "1\r\nHost: evil"), "without line ends"),
                Arguments.of("headers", Map.of("X-A\r\nHost", "evil"), "must be a header name"),
                Arguments.of("headers", Map.of("Host", "evil"), "that the server sets itself"),
                Arguments.of("headers", Map.of("Webhook-Signature", "v1,x"), "that the server sets itself"),
                Arguments.of("headers", Map.of("Content-Length", "1"), "that the server sets itself"),
                Arguments.of("forward-headers", List.of("transfer-encoding"), "that the server sets itself"),
                Arguments.of("headers", "X-A: 1", "must be a mapping"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("mistakes")
    void a_mistake_is_refused_with_key_and_rule(String key, Object value, String rule) {
        assertThatThrownBy(() -> read(route("secret", SECRET, key, value)))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("routes.billing.")
                .hasMessageContaining(rule)
                .hasMessageNotContaining("pw@");
    }

    @Test
    void an_unknown_key_is_refused_with_the_nearest_known_key() {
        assertThatThrownBy(() -> read(route("concurency", 3)))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("routes.billing.concurency")
                .hasMessageContaining("concurrency");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Billing", "a b", "../x", "a.b", "a/b", "-a"})
    void a_bad_name_of_a_route_is_refused(String name) {
        assertThatThrownBy(() -> RouteReader.read(Map.of(name, route())))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("lower-case letters");
    }

    @Test
    void plain_http_must_be_asked_for() {
        assertThat(read(route("url", "http://shop.example/", "plain-http", true))
                        .target()
                        .url()
                        .getScheme())
                .isEqualTo("http");
    }

    @Test
    void all_matching_routes_deliver_and_no_route_delivers_delivery_events() {
        RouteTable table = new RouteTable(RouteReader.read(Map.of(
                        "all", route("events", List.of("*", "order.*")),
                        "orders", route(),
                        "paid", route("events", "order.paid"),
                        "runs", route("events", "ml.run.*")))
                .values());

        assertThat(table.matching("order.paid"))
                .extracting(Route::name)
                .containsExactlyInAnyOrder("all", "orders", "paid");
        assertThat(table.matching("ml.run.a.b")).extracting(Route::name).containsExactlyInAnyOrder("all", "runs");
        assertThat(table.matching("order")).extracting(Route::name).containsExactly("all");
        assertThat(table.matching("webhook.orders")).isEmpty();
        assertThat(table.patterns()).extracting(Object::toString).containsExactly("*");
    }
}
