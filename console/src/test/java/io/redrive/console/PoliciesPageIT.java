package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.operations.Accounts;
import io.redrive.operations.Role;
import io.redrive.pipeline.EventPolicies;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The pages of policies and of access, over HTTP without JavaScript. */
class PoliciesPageIT {

    private static final String DRAFT = "/redrive/policies/draft?pattern=invoice.*";

    private static ConfigurableApplicationContext shop;
    private static EventStore store;

    /** A server with two users. */
    static final class TwoUsers implements Accounts {
        @Override
        public List<Account> list() {
            return List.of(new Account("ada", Role.ADMIN), new Account("<b>vic</b>", Role.VIEWER));
        }

        @Override
        public boolean isRequired() {
            return true;
        }
    }

    @BeforeAll
    static void start() {
        store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        shop = Shop.start(Map.of("store", store, "accounts", new TwoUsers()));
        Incident.fill(store, Instant.now());
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @AfterEach
    void removeShared() {
        EventPolicies.shared(store.notes())
                .keySet()
                .forEach(pattern -> EventPolicies.share(Map.of(pattern, Map.of()), store.notes()));
    }

    private static Caller as(String user) {
        return new Caller(Shop.urlOf(shop), user);
    }

    private static HttpResponse<String> save(Caller caller, Map<String, String> fields) {
        return caller.submit(DRAFT + "&sent=1&max-attempts=9", "/redrive/policies/save", fields);
    }

    @Test
    void each_policy_is_listed_with_its_schedule_and_where_it_comes_from() {
        EventPolicies.share(Map.of("mail.*", Map.of("max-attempts", "6", "jitter", "none")), store.notes());
        String page = as("vic").get("/redrive/policies").body();
        assertThat(page)
                .contains("1 shared by operators")
                .contains("retries 1.0 s, 3.0 s after the first attempt")
                .contains(">configuration<")
                .contains(">default<")
                .contains("no jitter: callers that fail together will retry together");
        assertThat(as("vic").get("/redrive/policies?name=mail.sent").body())
                .contains("mail.sent is decided by mail.*: 6 attempts");
    }

    @Test
    void shared_settings_that_do_not_fit_this_node_are_explained() {
        EventPolicies.share(Map.of("slow.*", Map.of("max-delay", "500ms", "initial-delay", "100ms")), store.notes());
        EventPolicies.share(Map.of("slow.*", Map.of("initial-delay", "")), store.notes());
        assertThat(as("vic").get("/redrive/policies").body())
                .contains("Shared settings are not in force on this node")
                .contains("must be at least the initial delay");
    }

    @Test
    void a_change_is_shown_before_it_is_saved() {
        String page = as("vic")
                .get(DRAFT + "&sent=1&max-attempts=5&initial-delay=2s&multiplier=3&backoff=fixed")
                .body();
        assertThat(page)
                .contains("3 attempts, waits of at most 3.6 s now; 5 attempts, waits of at most")
                .contains("+ max-attempts=5")
                .contains("multiplier has no effect with the backoff fixed")
                .contains("/redrive/policies/replay?pattern=invoice")
                .contains("needs the role operator; you are viewer");
        assertThat(EventPolicies.shared(store.notes())).isEmpty();
    }

    @Test
    void a_setting_that_cannot_be_used_is_explained_and_live_parts_are_still_replaced() {
        HttpResponse<String> page = as("vic").get(DRAFT + "&sent=1&max-attempts=many");
        assertThat(page.statusCode()).isEqualTo(422);
        assertThat(page.body())
                .contains("role=\"alert\"")
                .contains("max-attempts")
                .contains("value=\"many\"");
        Caller vic = as("vic");
        HttpResponse<String> live =
                vic.send(vic.request(DRAFT + "&sent=1&max-attempts=many").header("HX-Request", "true"));
        assertThat(live.statusCode()).isEqualTo(200);
        assertThat(as("vic").get("/redrive/policies/draft?pattern=a..b").statusCode())
                .isEqualTo(422);
        assertThat(as("vic").get(DRAFT + "&sent=1&further=retry-on-status").body())
                .contains("key=value");
        assertThat(as("vic")
                        .get(DRAFT + "&sent=1&max-attempts=2000000000&backoff=none")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void the_replay_tells_its_findings_and_its_sample() {
        String more = as("vic")
                .get("/redrive/policies/replay?pattern=order.*&sent=1&max-attempts=9")
                .body();
        assertThat(more)
                .contains("Of 120 events that failed: 120 tried at least once more.")
                .contains("all 120 dead letters of the last day")
                .contains("360 recorded, at least 480 after the change")
                .as("the shop has one attempt for orders now")
                .contains("gives the recorded end for 0 of 120 events: the others failed under another policy");
        String fewer = as("vic")
                .get("/redrive/policies/replay?pattern=order.*&sent=1&max-attempts=2")
                .body();
        assertThat(fewer).contains("120 given up sooner").contains("2 attempts instead of 3");
        assertThat(as("vic")
                        .get("/redrive/policies/replay?pattern=order.*&sent=1&max-attempts=3")
                        .body())
                .contains("120 given up after the same attempts");
        assertThat(as("vic")
                        .get("/redrive/policies/replay?pattern=nothing.*&sent=1&max-attempts=1")
                        .body())
                .contains("No failure of the last day could be replayed");
    }

    @Test
    void an_operator_shares_a_change_and_removes_it() {
        Map<String, String> fields = Map.of(
                "pattern",
                "invoice.*",
                "sent",
                "1",
                "max-attempts",
                "9",
                "further",
                "retry-on-status=503",
                "before",
                "");
        assertThat(save(as("vic"), fields).statusCode()).isEqualTo(403);
        assertThat(EventPolicies.shared(store.notes())).isEmpty();

        Caller ann = as("ann");
        assertThat(save(ann, fields).statusCode()).isEqualTo(303);
        assertThat(EventPolicies.shared(store.notes()).get("invoice.*"))
                .isEqualTo(Map.of("max-attempts", "9", "retry-on-status", "503"));
        assertThat(ann.get(DRAFT).body())
                .contains("value=\"9\"")
                .contains("retry-on-status=503")
                .contains("Remove the shared settings");
        assertThat(ann.get("/redrive/record?action=change-policy").body()).contains("invoice.*");

        assertThat(ann.submit(DRAFT, "/redrive/policies/remove", Map.of("pattern", "invoice.*"))
                        .statusCode())
                .isEqualTo(303);
        assertThat(EventPolicies.shared(store.notes())).isEmpty();
    }

    @Test
    void a_change_by_somebody_else_meanwhile_is_not_overwritten() {
        Caller ann = as("ann");
        EventPolicies.share(Map.of("invoice.*", Map.of("max-attempts", "4")), store.notes());
        HttpResponse<String> late =
                save(ann, Map.of("pattern", "invoice.*", "sent", "1", "max-attempts", "9", "before", ""));
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body()).contains("Somebody changed the shared settings");
        assertThat(EventPolicies.shared(store.notes()).get("invoice.*")).isEqualTo(Map.of("max-attempts", "4"));
    }

    @Test
    void a_value_of_two_lines_is_refused() {
        HttpResponse<String> refused = save(
                as("ann"), Map.of("pattern", "invoice.*", "sent", "1", "jitter", "none\nmax-attempts=1", "before", ""));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(EventPolicies.shared(store.notes())).isEmpty();
    }

    @Test
    void an_admin_makes_a_token_that_is_shown_once_and_revokes_it() {
        Caller ada = as("ada");
        Map<String, String> fields =
                Map.of("name", "<i>checkout</i>", "role", "publisher", "names", "order.*, cart.*", "lifetime", "30d");
        HttpResponse<String> made = ada.submit("/redrive/access", "/redrive/access/create", fields);
        assertThat(made.statusCode()).isEqualTo(200);
        assertThat(made.headers().firstValue("Cache-Control")).hasValue("no-store");
        String text = made.body().replaceAll("(?s).*shown this once:</p><pre tabindex=\"0\">([^<]+)</pre>.*", "$1");
        String page = ada.get("/redrive/access").body();
        assertThat(page)
                .contains("&lt;i&gt;checkout")
                .contains("order.*, cart.*")
                .contains("&lt;b&gt;vic")
                .doesNotContain(text)
                .doesNotContain("<i>checkout");
        String prefix = page.replaceAll("(?s).*name=\"prefix\" value=\"([0-9a-f]+)\".*", "$1");
        String ask = "/redrive/access/revoke?prefix=" + prefix;
        assertThat(ada.get(ask).body())
                .contains("Revoke the token " + prefix + " of &lt;i&gt;checkout&lt;/i&gt; for good?")
                .contains("order.*, cart.*");
        assertThat(as("ann").get(ask).statusCode()).isEqualTo(403);
        assertThat(ada.submit(ask, "/redrive/access/revoke", Map.of("prefix", prefix))
                        .statusCode())
                .isEqualTo(303);
        assertThat(ada.get("/redrive/access").body()).contains("is revoked").contains("No token yet");
        assertThat(ada.get(ask).statusCode()).isEqualTo(404);
        assertThat(ada.get("/redrive/record").body()).contains("create-token").doesNotContain(text);
    }

    @Test
    void others_see_the_roles_and_no_tokens() {
        for (String user : List.of("vic", "ann")) {
            assertThat(as(user).get("/redrive/access").body())
                    .contains("needs the role admin")
                    .contains("change policy")
                    .contains("What a role may do");
            Map<String, String> fields = Map.of("name", "x", "role", "admin", "lifetime", "none");
            assertThat(as(user).submit("/redrive/access", "/redrive/access/create", fields)
                            .statusCode())
                    .isEqualTo(403);
        }
        Map<String, String> wrong = Map.of("name", "x", "role", "viewer", "names", "order.*", "lifetime", "1d");
        assertThat(as("ada")
                        .submit("/redrive/access", "/redrive/access/create", wrong)
                        .statusCode())
                .isEqualTo(400);
        assertThat(as("ada")
                        .submit("/redrive/access", "/redrive/access/explode", wrong)
                        .statusCode())
                .isEqualTo(404);
    }
}
