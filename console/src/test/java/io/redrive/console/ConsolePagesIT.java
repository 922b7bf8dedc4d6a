package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.HandledEvent;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedrivePlan;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Pages and forms as a browser without JavaScript sees them, in an application with its own login. */
class ConsolePagesIT {

    private static ConfigurableApplicationContext shop;
    private static EventStore store;
    private static String url;

    @BeforeAll
    static void start() {
        shop = Shop.start();
        url = Shop.urlOf(shop);
        store = shop.getBean(EventStore.class);
        Incident.fill(store, Instant.now());
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static Caller as(String user) {
        return new Caller(url, user);
    }

    private static DeadLetter newest(String name) {
        return store.deadLetters()
                .newest(LetterFilter.ALL.withName(name), Long.MAX_VALUE, 1)
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/redrive",
                "/redrive/",
                "/redrive/letters",
                "/redrive/letters?name=order.*&reason=max_attempts_exceeded&since=24h&text=currency",
                "/redrive/causes",
                "/redrive/causes?show=all",
                "/redrive/operations",
                "/redrive/pauses",
                "/redrive/record",
                "/redrive/repair?name=order.*",
                "/redrive/redrive?name=order.*",
                "/redrive/purge?name=order.*"
            })
    void every_page_answers_a_viewer_and_forbids_inline_scripts(String path) {
        HttpResponse<String> page = as("vic").get(path);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy ->
                        assertThat(policy).contains("default-src 'none'").doesNotContain("unsafe"));
        assertThat(page.body())
                .doesNotContain("<style")
                .doesNotContain(" style=")
                .doesNotContain("javascript:");
        assertThat(page.body()).contains("<h1");
    }

    @Test
    void a_request_without_login_is_sent_to_the_login_of_the_application() {
        HttpResponse<String> answer = as("").get("/redrive/letters");
        assertThat(answer.statusCode()).isIn(302, 401);
        assertThat(answer.body()).doesNotContain("order.paid");
    }

    @Test
    void the_first_line_of_the_overview_says_how_many_causes_need_somebody() {
        assertThat(as("vic").get("/redrive").body()).contains("causes need you").contains("order.paid");
    }

    @Test
    void the_overview_shows_the_sizes_that_a_node_chose_and_why() {
        assertThat(as("vic").get("/redrive").body())
                .contains("lane domain: 200 claims <span class=\"soft\">of 200 to 2,000</span>")
                .contains("the least of the profile")
                .doesNotContain("lane suspect");
    }

    @Test
    void the_filter_of_letters_is_in_the_address() {
        String page = as("vic").get("/redrive/letters?name=invoice.*").body();
        assertThat(page).contains("38 dead letters with name invoice.*").doesNotContain(">order.paid<");
    }

    @Test
    void a_filter_that_cannot_be_used_says_why_and_keeps_the_form() {
        String page = as("vic").get("/redrive/letters?since=yesterday").body();
        assertThat(page)
                .contains("This filter cannot be used.")
                .contains("since must be a time")
                .contains("role=\"search\"")
                .doesNotContain("Nothing was given up");
    }

    @Test
    void letters_are_filtered_by_a_field_of_their_payloads_and_fields_are_suggested() {
        String page =
                as("vic").get("/redrive/letters?payload=/customer/country%3DDE").body();
        assertThat(page).contains("with payload ").contains("value=\"/customer/country=DE\"");
        assertThat(page).contains("/redrive?payload=%2Fcustomer%2Fcountry%3DDE").contains("/letters/export?payload=");
        String none = as("vic")
                .get("/redrive/letters?name=order.paid&payload=/customer/country%3DXX")
                .body();
        assertThat(none)
                .contains("No dead letter matches this filter")
                .contains("<option value=\"/customer/country=DE\">")
                .contains("Take a part of the filter away");
        String wrong = as("vic").get("/redrive/letters?payload=currency").body();
        assertThat(wrong)
                .contains("must be POINTER=VALUE, such as /customer/country=CH")
                .contains("value=\"currency\"");
    }

    @Test
    void letters_are_paged_by_links() {
        String first = as("vic").get("/redrive/letters?name=order.paid").body();
        assertThat(first).contains("rel=\"next\"");
        String link = first.replaceAll("(?s).*<a href=\"([^\"]+)\" rel=\"next\".*", "$1")
                .replace("&amp;", "&");
        String second = as("vic").get(link).body();
        assertThat(second).contains("Newest").contains("order.paid");
    }

    @Test
    void a_letter_shows_exact_numbers_attempts_and_its_cause() {
        String page =
                as("vic").get("/redrive/letters/" + newest("order.paid").id()).body();
        assertThat(page).contains("12345678901234567890").contains("Attempt 3").contains("retry in 2 s");
    }

    @Test
    void a_binary_payload_is_shown_in_hexadecimal_digits() {
        String page = as("ann").get("/redrive/letters/" + newest("ml.*").id()).body();
        assertThat(page).contains("000000  ").contains("binary payloads are edited with");
    }

    @Test
    void a_letter_that_is_gone_says_what_to_do_next() {
        HttpResponse<String> page = as("vic").get("/redrive/letters/999999");
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.body()).contains("may have been redriven or purged").contains("Show the record");
        assertThat(as("vic").get("/redrive/letters/abc").statusCode()).isEqualTo(400);
        assertThat(as("vic").get("/redrive/cause?cause=nothing").statusCode()).isEqualTo(404);
        assertThat(as("vic").get("/redrive/operations/r-nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void a_viewer_sees_buttons_disabled_with_the_reason_and_is_refused() {
        long id = newest("order.paid").id();
        assertThat(as("vic").get("/redrive/letters/" + id).body())
                .contains("needs the role operator; you are viewer")
                .contains("disabled");
        HttpResponse<String> refused =
                as("vic").submit("/redrive/redrive?id=" + id, "/redrive/redrive", Map.of("id", "" + id));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(store.deadLetters().find(id)).isPresent();
    }

    @Test
    void roles_of_the_application_itself_give_no_role_in_the_console() {
        assertThat(as("root").get("/redrive").body()).contains("your role: viewer");
        assertThat(as("ada").get("/redrive").body()).contains("your role: admin");
    }

    @Test
    void a_command_without_the_token_of_the_application_is_refused() {
        Caller ann = as("ann");
        ann.get("/redrive/pauses");
        HttpResponse<String> refused = ann.post("/redrive/pauses", "names=order.x&reason=test&for=30m");
        assertThat(refused.statusCode()).isIn(401, 403);
        assertThat(as("vic").get("/redrive/pauses").body()).doesNotContain("order.x");
    }

    @Test
    void an_edit_shows_the_difference_before_it_is_saved() {
        DeadLetter letter = newest("invoice.sent");
        String path = "/redrive/letters/" + letter.id() + "/edit";
        Caller ann = as("ann");
        String stamp = ann.get(path).body().replaceAll("(?s).*name=\"before\" value=\"([^\"]+)\".*", "$1");
        HttpResponse<String> broken = ann.submit(path, path, Map.of("before", stamp, "payload", "{", "step", "save"));
        assertThat(broken.statusCode()).isEqualTo(422);
        assertThat(broken.body()).contains("not valid JSON");
        Map<String, String> fields = Map.of("before", stamp, "payload", "{\"total\": 12.50}", "step", "check");
        String check = ann.submit(path, path, fields).body();
        assertThat(check).contains("Is this the change you want?").contains("d-added");
        assertThat(store.deadLetters().find(letter.id()).get().originalPayload())
                .isEmpty();
        HttpResponse<String> saved =
                ann.submit(path, path, Map.of("before", stamp, "payload", "{\"total\": 12.50}", "step", "save"));
        assertThat(saved.statusCode()).isEqualTo(303);
        assertThat(store.deadLetters().find(letter.id()).get().event().text()).isEqualTo("{\"total\": 12.50}");
        assertThat(ann.get("/redrive/letters/" + letter.id()).body())
                .contains("Version 1")
                .contains("was changed");
    }

    @Test
    void an_edit_of_a_payload_that_somebody_changed_meanwhile_is_not_saved() {
        DeadLetter letter = store.deadLetters()
                .list(LetterFilter.ALL.withName("invoice.sent"), 0, 1)
                .get(0);
        String path = "/redrive/letters/" + letter.id() + "/edit";
        Caller ann = as("ann");
        String stamp = ann.get(path).body().replaceAll("(?s).*name=\"before\" value=\"([^\"]+)\".*", "$1");
        store.deadLetters().edit(letter.id(), "{}".getBytes(), "ada", Instant.now());
        HttpResponse<String> late =
                ann.submit(path, path, Map.of("before", stamp, "payload", "{\"total\": 1}", "step", "save"));
        assertThat(late.statusCode()).isEqualTo(422);
        assertThat(late.body()).contains("somebody changed the payload");
        assertThat(store.deadLetters().find(letter.id()).get().event().text()).isEqualTo("{}");
    }

    @Test
    void letters_are_deleted_only_by_an_admin_who_types_their_number() {
        long id = newest("mail.*").id();
        Map<String, String> wrong = Map.of("id", "" + id, "count", "2");
        String page = "/redrive/purge?id=" + id;
        assertThat(as("ann").submit(page, "/redrive/purge", wrong).statusCode()).isEqualTo(403);
        HttpResponse<String> refused = as("ada").submit(page, "/redrive/purge", wrong);
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("Nothing was deleted");
        assertThat(store.deadLetters().find(id)).isPresent();
        HttpResponse<String> deleted = as("ada").submit(page, "/redrive/purge", Map.of("id", "" + id, "count", "1"));
        assertThat(deleted.statusCode()).isEqualTo(303);
        assertThat(store.deadLetters().find(id)).isEmpty();
        assertThat(as("vic").get("/redrive/record?action=purge").body()).contains("ada");
    }

    @Test
    void an_export_has_one_line_for_each_letter() {
        HttpResponse<String> export = as("vic").get("/redrive/letters/export?name=ml.*");
        assertThat(export.body().lines()).hasSize(2).allMatch(line -> line.contains("\"abandoned_reason\""));
        assertThat(export.headers().firstValue("Content-Disposition"))
                .hasValueSatisfying(header -> assertThat(header).startsWith("attachment"));
    }

    @Test
    void a_payload_is_sent_as_a_file_that_no_browser_runs() {
        HttpResponse<String> file =
                as("vic").get("/redrive/letters/" + newest("order.paid").id() + "/payload");
        assertThat(file.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
        assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValueSatisfying(header -> assertThat(header).startsWith("attachment"));
    }

    @Test
    void a_cause_is_assigned_noted_resolved_and_reopened() {
        String fingerprint = newest("ml.*").fingerprint();
        String page = "/redrive/cause?cause=" + fingerprint;
        Caller ann = as("ann");
        command(ann, page, "assign", Map.of("cause", fingerprint, "owner", "ann"));
        command(ann, page, "note", Map.of("cause", fingerprint, "note", "heap of the trainer is too small"));
        command(ann, page, "ticket", Map.of("cause", fingerprint, "ticket", "javascript:alert(1)"));
        assertThat(ann.get("/redrive/causes?show=mine").body()).contains("heap of the trainer");
        assertThat(ann.get(page).body()).doesNotContain("href=\"javascript");
        command(ann, page, "resolve", Map.of("cause", fingerprint, "version", "2.5.0"));
        assertThat(ann.get(page).body()).contains("resolved");
        assertThat(ann.submit(page, "/redrive/cause/resolve", Map.of("cause", fingerprint, "version", "soon"))
                        .statusCode())
                .isEqualTo(400);
        command(ann, page, "ignore", Map.of("cause", fingerprint, "days", "7"));
        assertThat(ann.get("/redrive/causes?show=ignored").body()).contains("OutOfMemoryError");
        command(ann, page, "reopen", Map.of("cause", fingerprint));
        assertThat(as("vic").get("/redrive/record?operator=ann&action=reopen").body())
                .contains("reopened");
    }

    private static void command(Caller caller, String page, String command, Map<String, String> fields) {
        assertThat(caller.submit(page, "/redrive/cause/" + command, fields).statusCode())
                .isEqualTo(303);
    }

    @Test
    void a_cause_tells_what_separates_its_letters_from_handled_events() {
        Instant now = Instant.now();
        store.samples()
                .add(IntStream.range(0, 50)
                        .mapToObj(i -> Event.named("order.paid")
                                .source("checkout")
                                .json("{\"order\": " + i + ", \"currency\": \"EUR\", \"gift\": false}")
                                .build())
                        .map(event -> HandledEvent.of(event, now, "shop-1", Optional.empty()))
                        .toList());
        String cause = newest("order.paid").fingerprint();
        assertThat(as("vic").get("/redrive/cause?cause=" + cause).body())
                .contains("/redrive/cause/differs?cause=" + cause);
        assertThat(as("vic").get("/redrive/cause/differs?cause=" + cause).body())
                .contains("all 120 letters have no /currency; of 50 handled events none");
        assertThat(as("vic")
                        .get("/redrive/cause/differs?cause=" + newest("mail.*").fingerprint())
                        .body())
                .contains("of this name were handled within the last 48 hours, but no sample was kept");
        assertThat(as("vic").get("/redrive/cause/differs?cause=unknown").statusCode())
                .isEqualTo(404);
    }

    @Test
    void a_command_that_comes_too_late_shows_the_operation_in_its_way() {
        Operations ada = Operations.of(store, new Operator("ada", Role.ADMIN, "test"));
        LetterSelection mails = LetterSelection.matching(LetterFilter.ALL.withName("mail.*"));
        String id = ada.redrives().preview(mails, RedrivePlan.CANARY).id();
        ada.redrives().cancel(id);
        String path = "/redrive/operations/" + id;
        HttpResponse<String> late = as("ann").submit(path, path + "/pause", Map.of());
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(late.body())
                .contains("This command changed nothing")
                .contains("href=\"" + path + "\">Show the operation");
    }

    @Test
    void names_are_paused_with_a_reason_and_resumed() {
        Caller ann = as("ann");
        Map<String, String> pause = Map.of("names", "tax.*", "reason", "tax service is down", "for", "2h");
        assertThat(ann.submit("/redrive/pauses", "/redrive/pauses", pause).statusCode())
                .isEqualTo(303);
        assertThat(ann.get("/redrive/pauses").body())
                .contains("tax service is down")
                .contains("is paused on all nodes");
        assertThat(ann.get("/redrive").body()).contains("tax.* is paused");
        ann.submit("/redrive/pauses", "/redrive/pauses/resume", Map.of("names", "tax.*"));
        assertThat(ann.get("/redrive/pauses").body()).contains("No name is paused");
        assertThat(ann.submit("/redrive/pauses", "/redrive/pauses", Map.of("names", "x.*", "reason", ""))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void an_expression_that_cannot_be_used_is_explained() {
        HttpResponse<String> page = as("ann").get("/redrive/repair?name=order.paid&expression=%24%20~%3E");
        assertThat(page.statusCode()).isEqualTo(422);
        assertThat(page.body()).contains("role=\"alert\"");
    }

    @Test
    void assets_are_kept_by_browsers_and_unknown_files_do_not_exist() {
        String page = as("vic").get("/redrive").body();
        String css = page.replaceAll("(?s).*href=\"([^\"]+console\\.css[^\"]*)\".*", "$1");
        HttpResponse<String> file = as("vic").get(css);
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.body().length()).as("the one stylesheet").isLessThan(30_000);
        assertThat(file.headers().firstValue("Cache-Control"))
                .hasValueSatisfying(header -> assertThat(header).contains("immutable"));
        assertThat(as("vic").get("/redrive/assets/pom.xml").statusCode()).isEqualTo(404);
    }

    @Test
    void an_address_without_a_page_leads_back_to_the_console() {
        HttpResponse<String> nothing = as("vic").get("/redrive/nothing/here");
        assertThat(nothing.statusCode()).isEqualTo(404);
        assertThat(nothing.body()).contains("The console has no page at this address.");
    }

    @Test
    void the_application_keeps_its_own_pages() {
        assertThat(as("").get("/").body()).isEqualTo("the shop");
    }

    @Test
    void a_command_about_selected_letters_never_means_all_letters() {
        for (String command : List.of("redrive", "purge", "repair")) {
            HttpResponse<String> page = as("ada").get("/redrive/" + command + "?only=selected");
            assertThat(page.statusCode()).as(command).isEqualTo(400);
            assertThat(page.body()).contains("No letter is selected.").contains("Back to the letters");
        }
    }

    @Test
    void a_redrive_leaves_overtaken_letters_out_unless_asked_for() {
        Instant now = Instant.now();
        EventStore journal = InMemoryEventStore.withJournal(Duration.ofHours(1));
        try (var other = Shop.start(journal, "shop.open=true")) {
            Event old = Event.named("stock.set")
                    .source("test")
                    .orderingKey("k")
                    .created(now.minusSeconds(60))
                    .build();
            journal.deadLetters()
                    .importLetters(List.of(Incident.letter(old, Reason.TIMEOUT, "Slow", "slow", now)), "test", now);
            journal.publish(
                    List.of(Event.named("stock.set")
                            .source("test")
                            .orderingKey("k")
                            .created(now)
                            .build()),
                    now);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> journal.journal().since().isPresent());
            Caller ann = new Caller(Shop.urlOf(other), "ann");
            assertThat(ann.get("/redrive/redrive?name=stock.*").body())
                    .contains("No letter to redrive")
                    .contains("1 letter left out: a newer event of the same ordering key is done");
            String included =
                    ann.get("/redrive/redrive?name=stock.*&overtaken=include").body();
            assertThat(included).contains("Redrive 1 letter?").contains("name=\"overtaken\" value=\"include\"");
        }
    }

    @Test
    void a_redrive_of_no_letter_offers_no_button() {
        assertThat(as("ann").get("/redrive/redrive?id=x").statusCode()).isEqualTo(400);
        assertThat(as("ann").get("/redrive/redrive?id=987654").body())
                .contains("No letter to redrive")
                .doesNotContain("name=\"mode\"");
    }
}
