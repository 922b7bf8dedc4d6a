package io.redrive.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** Tests the application over HTTP; the same scenario runs on every store. */
abstract class OrdersScenario {

    @LocalServerPort
    private int port;

    private RestClient http;

    @BeforeEach
    void connect() {
        http = RestClient.builder()
                .baseUrl("http://127.0.0.1:" + port)
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {})
                .build();
    }

    private int place(String order, String item) {
        return http.put()
                .uri("/orders/" + order)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("item", item))
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }

    private Map<?, ?> post(String path, Map<String, ?> body) {
        return http.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .retrieve()
                .body(Map.class);
    }

    private Map<?, ?> get(String path) {
        return http.get().uri(path).retrieve().body(Map.class);
    }

    private List<?> list(String path) {
        return http.get().uri(path).retrieve().body(List.class);
    }

    private List<?> letters() {
        return list("/actuator/redrive/letters?name=order.*");
    }

    private void becomes(String order, String state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(
                        () -> assertThat(get("/orders/" + order)).isEqualTo(Map.of("order", order, "state", state)));
    }

    @Test
    void an_order_is_shipped_and_invoiced_although_every_second_call_fails() {
        assertThat(place("o-1", "book")).isEqualTo(202);
        becomes("o-1", "invoiced");
    }

    @Test
    void the_same_order_is_refused_and_publishes_nothing() {
        place("o-2", "book");
        becomes("o-2", "invoiced");
        assertThat(place("o-2", "moon")).isEqualTo(409);
        assertThat(letters()).isEmpty();
    }

    @Test
    void what_cannot_be_shipped_is_a_dead_letter_that_comes_back_when_told_to() {
        place("o-3", "lamp");
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(letters())
                        .singleElement()
                        .satisfies(letter -> assertThat(letter.toString())
                                .contains("reason=not_retryable", "the warehouse has no item 'lamp'")));
        assertThat(get("/actuator/health").toString()).contains("redrive={", "dead=1");
        assertThat(get("/actuator/redrive").toString())
                .contains("dead=1", "alerts=[", "order.placed=Shipping.ship", "warehouse=3 attempts");
        assertThat(list("/actuator/redrive/groups").toString()).contains("count=1", "NoSuchItemException");

        http.put().uri("/warehouse/lamp").retrieve().toBodilessEntity();
        assertThat(post("/actuator/redrive", Map.of("name", "order.placed"))).isEqualTo(Map.of("redriven", 1));
        becomes("o-3", "invoiced");
        assertThat(letters()).isEmpty();
    }

    @Test
    void a_policy_is_changed_while_the_application_runs() {
        Map<?, ?> answer = post(
                "/actuator/redrive/settings",
                Map.of("key", "redrive.events.policies.[order.*].max-attempts", "value", "9"));
        assertThat(answer.get("events").toString()).contains("order.*=9 attempts");
        Map<?, ?> refused = post(
                "/actuator/redrive/settings",
                Map.of("key", "redrive.events.policies[order.*].max-attempts", "value", "0"));
        assertThat(refused.toString()).contains("rule=must be at least 1", "value=0");
    }

    @Test
    void info_and_meters_tell_of_the_pipeline() {
        assertThat(get("/actuator/info").toString())
                .contains("service=orders", "order.placed=Shipping.ship", "order.shipped=Shipping.invoice");
        place("o-5", "book");
        becomes("o-5", "invoiced");
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(get("/actuator/metrics/event.handle?tag=outcome:done")
                                .toString())
                        .contains("COUNT"));
    }
}
