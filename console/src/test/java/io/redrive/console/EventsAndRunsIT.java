package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.journal.EventQuery;
import io.redrive.items.store.RunStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Pages about events in any state, item runs, and the stream that tells pages of changes. */
class EventsAndRunsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext shop;
    private static EventStore store;
    private static RunStore runs;

    @BeforeAll
    static void start() {
        store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        runs = Work.runs();
        shop = Shop.start(
                Map.of("store", store, "runs", runs), "redrive.console.streams=2", "redrive.store.path=shop.db");
        Work.events(store, Instant.now());
        await().atMost(PATIENCE)
                .until(() -> store.journal()
                                .find(EventQuery.correlationId(Work.CHAIN), 10)
                                .size()
                        == 2);
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static Caller as(String user) {
        return new Caller(Shop.urlOf(shop), user);
    }

    private static String get(String path) {
        HttpResponse<String> page = as("vic").get(path);
        assertThat(page.statusCode()).as(path).isEqualTo(200);
        return page.body();
    }

    @Test
    void a_text_is_compared_with_ids_correlation_ids_keys_and_names_until_an_event_is_found() {
        assertThat(get("/redrive/events?q=packed-17")).contains("1 event has the id");
        assertThat(get("/redrive/events?q=" + Work.CHAIN)).contains("2 events have the correlation id");
        assertThat(get("/redrive/events?q=" + Work.KEY)).contains("blocks the ordering key");
        assertThat(get("/redrive/events?q=ship.sent")).contains("1 event has the name");
        assertThat(get("/redrive/events?q=ship.sent&by=id"))
                .contains("No event has the id")
                .contains("compared exactly");
        assertThat(get("/redrive/events?q=nothing"))
                .contains("No event has the id, correlation id, ordering key or name");
    }

    @Test
    void a_search_that_cannot_be_made_says_why_and_keeps_the_form() {
        for (String path : new String[] {"?q=a&by=colour", "?q=a&state=asleep"}) {
            HttpResponse<String> page = as("vic").get("/redrive/events" + path);
            assertThat(page.statusCode()).isEqualTo(400);
            assertThat(page.body()).contains("must be one of").contains("role=\"search\"");
        }
    }

    @Test
    void results_are_limited_to_a_state() {
        String none = get("/redrive/events?q=" + Work.CHAIN + "&by=correlation&state=dead");
        assertThat(none).contains("None of the 2 events is dead").contains("Show all states");
    }

    @Test
    void a_chain_is_a_timeline_whose_rows_lead_to_the_events() {
        String page = get("/redrive/events?by=correlation&q=" + Work.CHAIN);
        assertThat(page).contains("class=\"lane\"").contains("/redrive/event?id=packed-17&amp;correlation=chain-17");
        assertThat(get("/redrive/event?id=packed-17&correlation=" + Work.CHAIN))
                .contains("was done")
                .contains("the journal keeps no payloads")
                .contains("2 events of the same correlation id");
    }

    @Test
    void a_blocked_key_says_who_blocks_and_who_waits_behind() {
        String page = get("/redrive/events?by=key&q=" + Work.KEY);
        assertThat(page)
                .contains("stock.moved blocks the ordering key 'customer-17': 2 events wait behind it")
                .contains("Blocks:");
        assertThat(page.indexOf("moved-2", page.indexOf("Behind it")))
                .isPositive()
                .isLessThan(page.indexOf("moved-3", page.indexOf("Behind it")));
        assertThat(get("/redrive/event?id=moved-3")).contains("waits behind event moved-1");
    }

    @Test
    void an_event_that_nobody_knows_is_missing_with_the_next_step() {
        HttpResponse<String> page = as("vic").get("/redrive/event?id=never");
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.body()).contains("before the journal");
        assertThat(as("vic").get("/redrive/event").statusCode()).isEqualTo(400);
    }

    @Test
    void events_without_a_search_are_those_that_wait_and_those_that_finished_last() {
        assertThat(get("/redrive/events"))
                .contains("wait")
                .contains("Finished last")
                .contains("kept for 24 h");
    }

    @Test
    void a_run_shows_its_balance_and_leads_to_its_dead_samples() {
        assertThat(get("/redrive/runs")).contains(Work.RUN).contains("can be resumed");
        String page = get("/redrive/runs/" + Work.RUN);
        assertThat(page)
                .contains("summaries-march: 40 of 40 samples ended, 4 of them dead")
                .contains("40 in = 36 succeeded + 0 skipped")
                .contains("disabled");
        String dead = get("/redrive/runs/" + Work.RUN + "/dead?stage=summarize&error=IOException");
        String sample = dead.replaceAll("(?s).*href=\"([^\"]+/samples/[^\"]+)\".*", "$1")
                .replace("&amp;", "&");
        assertThat(get(sample))
                .contains("is dead at stage summarize")
                .contains("the model refused the text")
                .contains("attempt 1");
        assertThat(get("/redrive/runs/" + Work.RUN + "/dead?stage=clean")).contains("matches this filter");
        assertThat(as("vic").get("/redrive/runs/" + Work.RUN + "/dead?after=x").statusCode())
                .isEqualTo(400);
        assertThat(as("vic").get("/redrive/runs/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void a_run_that_can_be_resumed_shows_the_command() {
        assertThat(get("/redrive/runs/" + Work.STOPPED))
                .contains("redrive runs resume " + Work.STOPPED + " --store shop.db");
    }

    @Test
    void the_report_has_plots_and_is_a_file_too() {
        String report = get("/redrive/runs/" + Work.RUN + "/report");
        assertThat(report)
                .contains("<svg viewBox=\"0 0 720")
                .contains("Most common errors")
                .doesNotContain(" style=");
        HttpResponse<String> file = as("vic").get("/redrive/runs/" + Work.RUN + "/report/html");
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValueSatisfying(header -> assertThat(header).contains("attachment"));
        assertThat(as("vic").get("/redrive/runs/" + Work.RUN + "/report/json").body())
                .contains("\"dead\"");
        assertThat(as("vic").get("/redrive/runs/" + Work.RUN + "/report/pdf").statusCode())
                .isEqualTo(404);
    }

    @Test
    void commands_about_runs_need_their_roles_and_a_confirmation() {
        RunStore fresh = runs;
        String run = "/redrive/runs/" + Work.STOPPED;
        assertThat(get(run + "/ask/cancel")).contains("needs the role operator");
        assertThat(as("vic")
                        .submit(run + "/ask/cancel", run + "/cancel", Map.of())
                        .statusCode())
                .isEqualTo(403);
        assertThat(as("ann")
                        .submit(run + "/ask/reprocess", run + "/reprocess", Map.of())
                        .statusCode())
                .isEqualTo(303);
        assertThat(as("ann")
                        .submit(run + "/ask/delete", run + "/delete", Map.of("typed", Work.STOPPED))
                        .statusCode())
                .isEqualTo(403);
        HttpResponse<String> mistyped =
                as("ada").submit(run + "/ask/delete", run + "/delete", Map.of("typed", "april"));
        assertThat(mistyped.statusCode()).isEqualTo(422);
        assertThat(mistyped.body()).contains("Nothing was deleted");
        assertThat(fresh.archive().find(Work.STOPPED, Instant.now())).isPresent();
        assertThat(as("ada").get(run + "/ask/explode").statusCode()).isEqualTo(404);
    }

    @Test
    void samples_are_reprocessed_by_stage_and_the_record_tells() {
        String run = "/redrive/runs/" + Work.RUN;
        String ask = get(run + "/ask/reprocess?stage=summarize");
        assertThat(ask).contains("dead samples of " + Work.RUN + "?").contains("summarize");
        Map<String, String> clean = Map.of("stage", "clean");
        assertThat(as("ann")
                        .submit(run + "/ask/reprocess", run + "/reprocess", clean)
                        .statusCode())
                .isEqualTo(303);
        assertThat(Operations.of(store, Operator.named("vic", Role.VIEWER))
                        .withRuns(runs)
                        .runs()
                        .find(Work.RUN)
                        .map(found -> found.balance().dead()))
                .isEqualTo(Optional.of(4L));
        assertThat(get("/redrive/record?action=reprocess")).contains("ann");
    }
}
