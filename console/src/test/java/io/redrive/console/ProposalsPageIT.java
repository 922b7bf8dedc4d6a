package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedrivePlan;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.ProposalOperations;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.Role;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Proposals of an assistant, decided by people in the console. */
class ProposalsPageIT {

    private static ConfigurableApplicationContext shop;
    private static EventStore store;
    private static ProposalOperations assistant;

    @BeforeAll
    static void start() {
        store = new InMemoryEventStore();
        shop = Shop.start(store);
        Incident.fill(store, Instant.now());
        assistant = Operations.of(store, new Operator("<b>helper</b>", Role.ASSISTANT, "mcp"))
                .proposals();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static Caller as(String user) {
        return new Caller(Shop.urlOf(shop), user);
    }

    private static String path(Proposal proposal) {
        return "/redrive/proposals/" + proposal.number();
    }

    private static List<DeadLetter> letters(String name, int count) {
        return store.deadLetters().newest(LetterFilter.ALL.withName(name), Long.MAX_VALUE, count);
    }

    private static LetterSelection ofIds(List<DeadLetter> letters) {
        return LetterSelection.ofIds(letters.stream().map(DeadLetter::id).toList());
    }

    @Test
    void a_repair_is_shown_with_its_difference_and_done_once_approved() {
        List<DeadLetter> two = letters("order.paid", 2);
        Proposal asked = assistant.repair(
                ofIds(two), RepairExpression.compile("$ ~> |$|{\"currency\": \"EUR\"}|"), "<i>no currency</i>");
        String cause = "/redrive/cause?cause=" + two.get(0).fingerprint();
        for (String page : List.of("/redrive", "/redrive/operations", "/redrive/proposals", cause)) {
            assertThat(as("vic").get(page).body())
                    .as(page)
                    .contains("/redrive/proposals/" + asked.number() + "\"")
                    .contains("&lt;b&gt;helper")
                    .doesNotContain("<b>helper")
                    .doesNotContain("<i>no currency");
        }
        String shown = as("vic").get(path(asked)).body();
        assertThat(shown)
                .contains("2 letters when asked")
                .contains("d-added")
                .contains("needs the role operator; you are viewer");
        assertThat(as("vic")
                        .submit(path(asked), path(asked) + "/approve", Map.of())
                        .statusCode())
                .isEqualTo(403);
        assertThat(store.deadLetters().find(two.get(0).id()).orElseThrow().originalPayload())
                .isEmpty();

        Caller ann = as("ann");
        assertThat(ann.submit(path(asked), path(asked) + "/approve", Map.of()).statusCode())
                .isEqualTo(303);
        assertThat(ann.get(path(asked)).body())
                .contains(">approved<")
                .contains("ann")
                .doesNotContain("Approve and do");
        assertThat(store.deadLetters()
                        .find(two.get(0).id())
                        .orElseThrow()
                        .event()
                        .text())
                .contains("EUR");
        assertThat(ann.get(cause).body()).doesNotContain("Proposals about this cause");
    }

    @Test
    void a_redrive_becomes_an_operation_that_names_its_proposal_and_a_second_approval_changes_nothing() {
        Proposal asked = assistant.redrive(ofIds(letters("mail.*", 1)), RedrivePlan.ALL_AT_ONCE, "the gateway is back");
        Caller ann = as("ann");
        Caller ada = as("ada");
        assertThat(ann.submit(path(asked), path(asked) + "/approve", Map.of()).statusCode())
                .isEqualTo(303);
        assertThat(ada.submit("/redrive/pauses", path(asked) + "/approve", Map.of())
                        .statusCode())
                .isIn(303, 409);
        assertThat(ann.get(path(asked)).body()).contains("/redrive/operations/r-proposal-" + asked.number());
        assertThat(ann.get("/redrive/operations/r-proposal-" + asked.number()).body())
                .contains(" of 1 letter sent")
                .contains(path(asked));
    }

    @Test
    void a_proposal_is_rejected_with_a_reason() {
        DeadLetter invoice = letters("invoice.*", 1).get(0);
        Proposal asked = assistant.resolve(invoice.fingerprint(), Optional.empty(), "looks fixed");
        Caller ann = as("ann");
        assertThat(ann.get("/redrive/cause?cause=" + invoice.fingerprint()).body())
                .contains("Proposals about this cause");
        HttpResponse<String> without = ann.submit(path(asked), path(asked) + "/reject", Map.of("reason", ""));
        assertThat(without.statusCode()).isEqualTo(400);
        ann.submit(path(asked), path(asked) + "/reject", Map.of("reason", "the tax service is still slow"));
        assertThat(ann.get(path(asked)).body()).contains("the tax service is still slow");
        assertThat(ann.get(path(asked)).body()).contains(">rejected<");
        HttpResponse<String> late = ann.submit("/redrive/pauses", path(asked) + "/approve", Map.of());
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(ann.get("/redrive/proposals?show=all").body()).contains("rejected");
    }

    @Test
    void what_does_not_exist_says_so() {
        assertThat(as("ann").get("/redrive/proposals/987654").statusCode()).isEqualTo(404);
        assertThat(as("ann").get("/redrive/proposals/abc").statusCode()).isEqualTo(400);
        assertThat(as("ann")
                        .submit("/redrive/pauses", "/redrive/proposals/1/explode", Map.of())
                        .statusCode())
                .isEqualTo(404);
    }
}
