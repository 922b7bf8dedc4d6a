package io.redrive.server.webhook;

import static io.redrive.server.webhook.DeliveryBench.order;
import static io.redrive.server.webhook.DeliveryBench.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteStatus;
import io.redrive.pipeline.NamePause;
import io.redrive.server.webhook.TestReceiver.Request;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookDeliveryTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private TestReceiver receiver;
    private DeliveryBench bench;

    @BeforeEach
    void startReceiver() throws Exception {
        receiver = new TestReceiver();
    }

    @AfterEach
    void close() {
        bench.close();
        receiver.close();
    }

    private void routes(Map<String, Map<String, Object>> routes) {
        bench = new DeliveryBench(receiver, routes);
    }

    private void oneRoute(Object... more) {
        routes(Map.of("billing", route(receiver, "/hooks", more)));
    }

    private List<DeadLetter> letters() {
        return bench.store.deadLetters().list(LetterFilter.ALL, 0, 10);
    }

    private RouteStatus status() {
        return bench.operations().list().get(0);
    }

    @Test
    void each_matching_route_delivers_the_event_once_with_its_own_signature() throws Exception {
        routes(Map.of(
                "billing", route(receiver, "/billing", "secret", SECRET),
                "audit", route(receiver, "/audit?key=1", "events", "*", "signature", "none"),
                "runs", route(receiver, "/runs", "events", "ml.run.*")));

        bench.publish(order("o-1").header("traceparent", "00-1-2-01"));

        assertThat(receiver.requests).extracting(Request::path).containsExactlyInAnyOrder("/billing", "/audit?key=1");
        Request signed = receiver.requests.stream()
                .filter(each -> each.path().equals("/billing"))
                .findFirst()
                .orElseThrow();
        assertThat(signed.text()).isEqualTo("{\"order\": \"o-1\"}");
        assertThat(signed.header("content-type")).isEqualTo("application/json");
        assertThat(signed.header("webhook-id")).isEqualTo("o-1");
        assertThat(signed.header("redrive-event")).isEqualTo("order.paid");
        assertThat(signed.header("traceparent")).isEqualTo("00-1-2-01");
        String expected =
                new Webhook(SECRET).sign("o-1", Long.parseLong(signed.header("webhook-timestamp")), signed.text());
        assertThat(signed.header("webhook-signature")).isEqualTo(expected);
        assertThat(bench.waiting()).isZero();
    }

    @Test
    void attempts_share_the_message_id_and_each_has_its_own_timestamp() {
        oneRoute();
        receiver.answers(500);
        bench.publish(order("o-1"));
        receiver.answers(200);
        bench.later(Duration.ofSeconds(10));

        assertThat(receiver.requests).hasSize(2);
        assertThat(receiver.requests)
                .extracting(each -> each.header("webhook-id"))
                .containsOnly("o-1");
        assertThat(receiver.requests)
                .extracting(each -> each.header("redrive-attempt"))
                .containsExactly("1", "2");
        assertThat(receiver.requests.get(0).header("webhook-timestamp"))
                .isNotEqualTo(receiver.requests.get(1).header("webhook-timestamp"));
        assertThat(bench.waiting()).isZero();
    }

    @Test
    void a_redirect_is_a_failure_and_is_not_followed() {
        oneRoute("retry", Map.of("max-attempts", 1));
        receiver.answers(302, "Location", receiver.url("/elsewhere"));

        bench.publish(order("o-1"));

        assertThat(receiver.requests).extracting(Request::path).containsExactly("/hooks");
        assertThat(letters().get(0).lastError()).contains("answered with a redirect, which is never followed");
    }

    @Test
    void the_history_holds_status_headers_and_four_kibibytes_and_one_cause_stays_one_cause() {
        oneRoute("retry", Map.of("max-attempts", 1));
        receiver.replies = request -> new TestReceiver.Reply(
                500,
                Map.of("X-Request", request.header("webhook-id"), "Set-Cookie", "session=hunter2"),
                "because of " + request.header("webhook-id") + " " + "é".repeat(10_000));
        bench.publish(order("abc"));
        bench.publish(order("xyz"));

        List<DeadLetter> letters = bench.store.deadLetters().list(LetterFilter.ALL, 0, 10);
        DeadLetter whole = bench.store.deadLetters().find(letters.get(0).id()).orElseThrow();
        String message = whole.history().get(0).message();
        assertThat(message)
                .startsWith("HTTP 500: destination of route 'billing'")
                .containsIgnoringCase("x-request: ")
                .contains("because of ")
                .doesNotContain("hunter2");
        assertThat(message.chars().filter(c -> c == 'é').count()).isBetween(2_000L, 2_048L);
        assertThat(letters)
                .extracting(DeadLetter::fingerprint)
                .containsOnly(letters.get(0).fingerprint());
        assertThat(letters).extracting(DeadLetter::errorType).containsOnly("http_500");
    }

    @Test
    void gone_disables_the_route_and_its_events_wait_until_it_is_enabled() {
        oneRoute();
        receiver.answers(410);
        bench.publish(order("o-1"));
        bench.later(Duration.ofSeconds(2));
        bench.publish(order("o-2"));
        bench.later(Duration.ofDays(30));

        assertThat(receiver.requests).hasSize(1);
        assertThat(status().disabled().map(NamePause.ByHand::reason)).contains("the destination answered 410 Gone");
        assertThat(letters()).isEmpty();
        assertThat(bench.waiting()).isEqualTo(2);

        receiver.answers(200);
        bench.operations().enable("billing");
        bench.later(Duration.ofSeconds(5));
        bench.later(Duration.ofSeconds(5));

        assertThat(receiver.requests)
                .extracting(each -> each.header("webhook-id"))
                .containsExactlyInAnyOrder("o-1", "o-1", "o-2");
        assertThat(bench.waiting()).isZero();
    }

    @Test
    void a_destination_that_asks_for_time_gets_no_request_of_any_event_meanwhile() {
        oneRoute();
        receiver.answers(429, "Retry-After", "120");
        bench.publish(order("o-1"));
        receiver.answers(200);
        bench.publish(order("o-2"));
        bench.later(Duration.ofSeconds(119));
        assertThat(receiver.requests).hasSize(1);

        bench.later(Duration.ofSeconds(2));
        bench.later(Duration.ofSeconds(2));
        assertThat(receiver.requests)
                .extracting(each -> each.header("webhook-id"))
                .contains("o-2");
        bench.later(Duration.ofMinutes(10));
        assertThat(bench.waiting()).isZero();
    }

    @Test
    void an_answer_may_abort_the_message_or_disable_the_route() {
        oneRoute();
        receiver.answers(400, "Webhook-Delivery", "Abort-Message, abort-message");
        bench.publish(order("o-1"));
        assertThat(letters()).hasSize(1);
        assertThat(letters().get(0).lastError()).contains("asked to abort the message");

        receiver.answers(200, "webhook-delivery", "disable");
        bench.publish(order("o-2"));
        assertThat(letters()).hasSize(1);
        assertThat(status().disabled()).isPresent();
    }

    @Test
    void a_broken_name_service_costs_no_attempt_and_charges_nobody() throws Exception {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        routes(Map.of(
                "billing", route(receiver, "/hooks", "url", "http://billing.example:" + receiver.port() + "/hooks"),
                "audit", route(receiver, "/audit", "url", "http://audit.example:" + receiver.port() + "/audit")));
        bench.names = host -> new InetAddress[] {loopback};
        bench.publish(order("o-1"));
        assertThat(receiver.requests).hasSize(2);
        assertThat(receiver.requests)
                .extracting(each -> each.header("host"))
                .contains("billing.example:" + receiver.port());

        bench.names = host -> {
            throw new UnknownHostException(host);
        };
        bench.publish(order("o-2"));
        bench.later(Duration.ofHours(20));
        assertThat(bench.operations().list())
                .allMatch(each -> each.failingSince().isEmpty());

        bench.names = host -> new InetAddress[] {loopback};
        bench.later(Duration.ofMinutes(1));
        assertThat(receiver.requests).hasSize(4);
        assertThat(receiver.last().header("redrive-attempt")).isEqualTo("1");

        bench.names = host -> {
            if (host.startsWith("billing")) {
                throw new UnknownHostException(host);
            }
            return new InetAddress[] {loopback};
        };
        bench.publish(order("o-3"));
        assertThat(bench.operations().list().stream()
                        .filter(each -> each.failingSince().isPresent()))
                .extracting(RouteStatus::name)
                .containsExactly("billing");
    }

    @Test
    void five_days_of_failures_disable_the_route_and_a_success_resets_the_clock() {
        oneRoute("retry", Map.of("preset", "webhook"));
        receiver.answers(500);
        for (int hour = 0; hour < 24; hour++) {
            bench.publish(order("early-" + hour));
            bench.later(Duration.ofHours(1));
        }
        assertThat(status().disabledAt()).isPresent();
        receiver.answers(200);
        bench.publish(order("good"));
        bench.later(Duration.ofMinutes(5));
        assertThat(status().failingSince()).isEmpty();

        receiver.answers(500);
        int hours = 0;
        while (status().disabled().isEmpty() && hours++ < 300) {
            bench.publish(order("late-" + hours));
            bench.later(Duration.ofHours(1));
        }
        assertThat(hours).isBetween(130, 140);
        assertThat(status().disabled().orElseThrow().reason()).startsWith("failed for 5 days");
        assertThat(bench.store.deadLetters().actions(10))
                .anyMatch(action -> action.action().equals("disable-route"));

        long before = bench.waiting();
        bench.publish(order("after"));
        bench.later(Duration.ofDays(10));
        assertThat(bench.waiting()).isEqualTo(before + 1);
    }

    @Test
    void events_of_one_key_are_delivered_in_order_and_other_keys_go_on() {
        oneRoute();
        receiver.replies = request -> request.header("webhook-id").equals("a-1")
                        && request.header("redrive-attempt").equals("1")
                ? new TestReceiver.Reply(500, Map.of(), "")
                : TestReceiver.OK;
        bench.publish(order("a-1").orderingKey("a"));
        bench.publish(order("a-2").orderingKey("a"));
        bench.publish(order("b-1").orderingKey("b"));
        bench.later(Duration.ofSeconds(10));

        assertThat(receiver.requests)
                .extracting(each -> each.header("webhook-id"))
                .containsExactly("a-1", "b-1", "a-1", "a-2");
    }

    @Test
    void events_of_a_deleted_or_renamed_route_wait_for_a_route_of_that_name() {
        oneRoute();
        receiver.answers(500);
        bench.publish(order("o-1"));
        bench.webhooks.use(DeliveryBench.settings(Map.of("invoices", route(receiver, "/hooks"))));
        bench.later(Duration.ofDays(2));
        assertThat(receiver.requests).hasSize(1);
        assertThat(bench.waiting()).isEqualTo(1);

        receiver.answers(200);
        bench.webhooks.use(DeliveryBench.settings(Map.of("billing", route(receiver, "/new"))));
        bench.later(Duration.ofMinutes(6));
        assertThat(receiver.last().path()).isEqualTo("/new");
        assertThat(bench.waiting()).isZero();
    }

    @Test
    void an_event_published_under_the_name_of_a_route_is_refused() {
        oneRoute();
        bench.publish(Event.named("webhook.billing").source("evil").json("{}"));

        assertThat(receiver.requests).isEmpty();
        assertThat(letters().get(0).lastError()).contains("webhook.* are made by routes");
    }

    @Test
    void an_event_in_a_circle_of_servers_dies_after_five_rounds() {
        oneRoute();
        bench.publish(order("o-4").header("redrive-hops", "4"));
        assertThat(receiver.last().header("redrive-hops")).isEqualTo("5");
        bench.publish(order("o-5").header("redrive-hops", "5"));
        assertThat(receiver.requests).hasSize(1);
        assertThat(letters().get(0).lastError()).contains("a route leads back to a receiver");
    }

    @Test
    void hostile_texts_of_an_event_end_no_header_line() {
        oneRoute("forward-headers", List.of("tenant"));
        bench.publish(order("o-1")
                .id("id with spaces, dots. and \"quotes\"")
                .correlationId("c-1")
                .header("tenant", "a\u2028b é")
                .contentType("text/plain; é"));

        assertThat(receiver.last().header("tenant")).isEmpty();
        assertThat(receiver.last().header("content-type")).isEqualTo("application/octet-stream");
        assertThat(receiver.last().header("webhook-id")).matches("msg_[0-9a-f]{32}");
    }

    @Test
    void while_a_secret_is_rotated_both_sign_even_twice_and_then_the_new_one_alone() throws Exception {
        oneRoute("secret", SECRET);
        RotatedSecret second = bench.operations().rotate("billing", Optional.empty());
        RotatedSecret third = bench.operations().rotate("billing", Optional.of(Duration.ofDays(2)));
        bench.later(Duration.ofSeconds(10));
        bench.publish(order("o-1"));
        assertThat(verifiedBy(SECRET, second.receiverText(), third.receiverText()))
                .isEqualTo(3);

        bench.later(Duration.ofDays(1));
        bench.publish(order("o-2"));
        assertThat(verifiedBy(second.receiverText(), third.receiverText())).isEqualTo(2);
        assertThat(verifiedBy(SECRET)).isZero();

        bench.later(Duration.ofDays(2));
        bench.publish(order("o-3"));
        assertThat(verifiedBy(SECRET, second.receiverText())).isZero();
        assertThat(verifiedBy(third.receiverText())).isEqualTo(1);

        bench.operations().rotate("billing", Optional.of(Duration.ZERO));
        bench.later(Duration.ofSeconds(10));
        bench.publish(order("o-4"));
        assertThat(verifiedBy(third.receiverText())).isZero();
    }

    private int verifiedBy(String... secrets) throws Exception {
        Request request = receiver.last();
        int fitting = 0;
        for (String secret : secrets) {
            String own = new Webhook(secret)
                    .sign(
                            request.header("webhook-id"),
                            Long.parseLong(request.header("webhook-timestamp")),
                            request.text());
            fitting += List.of(request.header("webhook-signature").split(" ")).contains(own) ? 1 : 0;
        }
        return fitting;
    }

    @Test
    void secrets_that_the_server_makes_are_sealed_in_the_store() {
        oneRoute();
        RotatedSecret secret = bench.operations().rotate("billing", Optional.empty());

        assertThat(bench.store.notes().read().toString())
                .contains("webhook-secret")
                .doesNotContain(secret.receiverText().substring("whsec_".length()));
        assertThatThrownBy(() -> bench.operations().rotate("billing", Optional.of(Duration.ofDays(8))))
                .hasMessageContaining("grace must be from 0 to 7 days");
    }

    @Test
    void with_another_key_events_wait_until_the_secret_is_rotated() {
        oneRoute();
        bench.publish(order("o-1"));
        byte[] other = new byte[32];
        String key = java.util.Base64.getEncoder().encodeToString(other);
        try (Webhooks restarted = new Webhooks(
                bench.store,
                DeliveryBench.settings(Map.of("billing", route(receiver, "/hooks"))),
                bench.resources(key))) {
            RouteStatus broken = restarted.routes().list().get(0);
            assertThat(broken.problem().orElseThrow()).contains("put the former key back");
            assertThat(restarted.routes().test("billing").delivered()).isFalse();

            restarted.routes().rotate("billing", Optional.empty());
            assertThat(restarted.routes().list().get(0).problem()).isEmpty();
            assertThat(restarted.routes().test("billing").delivered()).isTrue();
        }
    }

    @Test
    void without_a_key_signed_routes_are_refused_with_how_to_make_one() {
        oneRoute("signature", "none");
        WebhookSettings signed = DeliveryBench.settings(Map.of("billing", route(receiver, "/hooks")));

        assertThatThrownBy(() -> new Webhooks(bench.store, signed, bench.resources("")).close())
                .hasMessageContaining("routes.billing.signature: needs a key")
                .hasMessageContaining("openssl rand -base64 32");
        assertThatCode(() -> bench.publish(order("o-1"))).doesNotThrowAnyException();
        assertThat(receiver.last().headers()).doesNotContainKey("webhook-signature");
    }

    @Test
    void a_test_message_is_signed_and_stores_nothing() {
        oneRoute("secret", SECRET);
        receiver.answers(404, "no such hook");

        assertThat(bench.operations().test("billing").summary()).isEqualTo("status 404");
        assertThat(bench.operations().test("billing").answer()).contains("no such hook");
        assertThat(receiver.last().header("webhook-signature")).startsWith("v1,");
        assertThat(bench.waiting()).isZero();
    }

    @Test
    void a_batch_that_comes_again_after_a_crash_delivers_once() {
        oneRoute();
        Event event = order("o-1").time(bench.time).build();
        Route route = DeliveryBench.settings(Map.of("billing", route(receiver, "/hooks")))
                .routes()
                .find("billing")
                .orElseThrow();
        bench.store.publish(List.of(DeliveryEvents.of(event, route)), bench.time.now());
        bench.publish(event.toBuilder());

        assertThat(receiver.requests).hasSize(1);
    }
}
