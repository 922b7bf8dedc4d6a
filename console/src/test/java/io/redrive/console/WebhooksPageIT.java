package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.NamePattern;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import io.redrive.operations.WebhookRoutes;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The page of webhooks, in an application that serves one route. */
class WebhooksPageIT {

    private static final String PAGE = "/redrive/webhooks";

    private static ConfigurableApplicationContext shop;

    /** A route to a destination that is down. */
    private static final class OneRoute implements WebhookRoutes {
        private Optional<Instant> failing = Optional.of(Instant.now().minusSeconds(600));

        @Override
        public List<RouteStatus> list() {
            return List.of(new RouteStatus(
                    "partner",
                    List.of(new NamePattern("order.*")),
                    "https://partner.example/hooks",
                    "v1",
                    "webhook.partner",
                    Optional.empty(),
                    failing,
                    Optional.empty(),
                    "closed",
                    Optional.empty()));
        }

        @Override
        public RouteTestResult test(String route) {
            return new RouteTestResult(false, "503 <b>down</b>", "", Duration.ofMillis(40));
        }

        @Override
        public RotatedSecret rotate(String route, Optional<Duration> grace) {
            return new RotatedSecret(route, "whsec_shown_once", Optional.empty());
        }

        @Override
        public void forgetFailures(String route) {
            failing = Optional.empty();
        }
    }

    @BeforeAll
    static void start() {
        shop = Shop.start(Map.of("store", new InMemoryEventStore(), "routes", new OneRoute()));
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static Caller as(String user) {
        return new Caller(Shop.urlOf(shop), user);
    }

    @Test
    void a_failing_route_is_listed_with_its_health() {
        assertThat(as("vic").get(PAGE).body())
                .contains("1 route, 1 not delivering.")
                .contains("https://partner.example/hooks")
                .contains("failing")
                .contains(">Webhooks</a>");
    }

    @Test
    void a_test_message_tells_the_answer_as_text() {
        Caller ann = as("ann");
        assertThat(ann.submit(PAGE, PAGE + "/test", Map.of("route", "partner")).statusCode())
                .isEqualTo(303);
        assertThat(ann.get(PAGE).body())
                .contains("partner did not take the test message: 503 &lt;b&gt;down")
                .doesNotContain("<b>down");
    }

    @Test
    void only_an_admin_gets_a_new_secret_and_sees_it_once() {
        Map<String, String> route = Map.of("route", "partner");
        assertThat(as("ann").submit(PAGE, PAGE + "/rotate", route).statusCode()).isEqualTo(403);
        Caller ada = as("ada");
        HttpResponse<String> rotated = ada.submit(PAGE, PAGE + "/rotate", Map.of("route", "partner", "grace", "1d"));
        assertThat(rotated.body()).contains("whsec_shown_once");
        assertThat(rotated.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(ada.get(PAGE).body()).doesNotContain("whsec_");
        assertThat(ada.get("/redrive/record").body()).doesNotContain("whsec_");
    }

    @Test
    void a_new_secret_is_made_only_when_the_operator_says_how_long_the_former_one_signs() {
        Caller ada = as("ada");
        assertThat(ada.get(PAGE).body())
                .contains("<select name=\"grace\"")
                .contains("<option value=\"0s\">ends at once</option>")
                .contains("<option value=\"1d\">signs for a day</option>");
        for (String grace : List.of("", "8d", "soon")) {
            HttpResponse<String> refused =
                    ada.submit(PAGE, PAGE + "/rotate", Map.of("route", "partner", "grace", grace));
            assertThat(refused.statusCode()).as(grace).isEqualTo(400);
            assertThat(refused.body()).contains("The secret was not changed").doesNotContain("whsec_");
        }
        assertThat(ada.submit(PAGE, PAGE + "/rotate", Map.of("route", "partner"))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void a_route_is_disabled_with_a_reason_and_unknown_commands_do_nothing() {
        Caller ann = as("ann");
        Map<String, String> disable = Map.of("route", "partner", "reason", "partner moves");
        assertThat(ann.submit(PAGE, PAGE + "/disable", disable).statusCode()).isEqualTo(303);
        assertThat(ann.get("/redrive/record").body()).contains("partner");
        assertThat(ann.submit(PAGE, PAGE + "/explode", disable).statusCode()).isEqualTo(404);
    }

    @Test
    void a_route_has_a_page_with_its_last_answers_and_waiting_events() {
        EventStore store = shop.getBean(EventStore.class);
        Instant now = Instant.now();
        Event delivery = Event.named("webhook.partner")
                .source("redrive")
                .due(now.plusSeconds(600))
                .build();
        store.publish(List.of(delivery), now);
        Event dead = Event.named("webhook.partner").source("redrive").build();
        store.deadLetters()
                .importLetters(
                        List.of(Incident.letter(
                                dead, Reason.MAX_ATTEMPTS_EXCEEDED, "http_503", "status 503 <b>down</b>", now)),
                        "test",
                        now);
        assertThat(as("vic").get(PAGE + "/partner").body())
                .contains("breaker closed, 1 event waiting.")
                .contains(delivery.id())
                .contains("given up")
                .contains("status 503 &lt;b&gt;down")
                .doesNotContain("<b>down");
        assertThat(as("vic").get(PAGE + "/nobody").statusCode()).isEqualTo(404);
    }
}
