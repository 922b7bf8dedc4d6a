package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Texts that strangers wrote reach pages as text, in every field that can hold text. */
class HostileTextIT {

    private static ConfigurableApplicationContext shop;
    private static EventStore store;

    @BeforeAll
    static void start() {
        store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        shop = Shop.start(Map.of("store", store, "runs", Work.runs("<script>alert(1)</script>")), "shop.open=true");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "'><svg/onload=alert(1)>",
                "</textarea><script>alert(1)</script>",
                "</title><script>alert(1)</script>",
                "\" autofocus onfocus=alert(1) x=\"",
                "</option></select><script>alert(1)</script>"
            })
    void a_hostile_text_is_shown_and_never_becomes_markup(String text) {
        Caller ann = new Caller(Shop.urlOf(shop), "ann");
        store.deadLetters().importLetters(List.of(Incident.hostile(text, Instant.now())), text, Instant.now());
        DeadLetter letter =
                store.deadLetters().newest(LetterFilter.ALL, Long.MAX_VALUE, 1).get(0);
        store.deadLetters()
                .edit(
                        letter.id(),
                        ("[\"" + text.replace("\"", "\\\"") + "\"]").getBytes(StandardCharsets.UTF_8),
                        text,
                        Instant.now());
        String cause = "/redrive/cause?cause=" + Query.encoded(letter.fingerprint());
        Map<String, String> care = Map.of("cause", letter.fingerprint(), "note", text, "owner", text, "ticket", text);
        for (String command : List.of("note", "assign", "ticket")) {
            assertThat(ann.submit(cause, "/redrive/cause/" + command, care).statusCode())
                    .isEqualTo(303);
        }
        ann.submit("/redrive/pauses", "/redrive/pauses", Map.of("names", "x.*", "reason", text));

        String query = Query.encoded(text);
        for (String path : List.of(
                "/redrive",
                "/redrive/letters",
                "/redrive/letters?text=" + query + "&error=" + query + "&since=" + query + "&cause=" + query,
                "/redrive/letters?name=order.*&text=" + query,
                "/redrive/letters/" + letter.id(),
                "/redrive/letters/" + letter.id() + "/edit",
                "/redrive/redrive?id=" + letter.id(),
                "/redrive/purge?text=" + query,
                "/redrive/repair?id=" + letter.id() + "&expression=" + query,
                "/redrive/causes?show=all",
                "/redrive/causes?show=" + query,
                cause,
                "/redrive/cause?cause=" + query,
                "/redrive/pauses",
                "/redrive/record",
                "/redrive/record?operator=" + query,
                "/redrive/policies?name=" + query,
                "/redrive/policies/draft?pattern=" + query,
                "/redrive/policies/draft?pattern=x.*&sent=1&max-attempts=" + query + "&jitter=" + query,
                "/redrive/policies/draft?pattern=x.*&sent=1&further=" + query,
                "/redrive/policies/replay?pattern=" + query + "&sent=1",
                "/redrive/access",
                "/redrive/proposals?show=" + query,
                "/redrive/proposals/" + query.replace("%2F", "-"),
                "/redrive/events?q=" + query,
                "/redrive/events?q=" + Query.encoded("key-" + text),
                "/redrive/events?q=" + Query.encoded("correlation-" + text) + "&by=correlation",
                "/redrive/events?q=a&by=" + query + "&state=" + query,
                "/redrive/event?id=" + Query.encoded("id-" + text),
                "/redrive/event?id=" + query,
                "/redrive/runs?pipeline=" + query,
                "/redrive/runs/" + Work.RUN + "/dead?stage=" + query + "&error=" + query,
                "/redrive/runs/" + Work.RUN + "/ask/reprocess?error=" + query,
                "/redrive/operations/" + query.replace("%2F", "-"))) {
            HttpResponse<String> page = ann.get(path);
            assertThat(page.body())
                    .as(path)
                    .doesNotContain("<script>alert")
                    .doesNotContain("<img src=x")
                    .doesNotContain("<svg/onload")
                    .doesNotContain("</textarea><script")
                    .doesNotContain("</title><s")
                    .doesNotContain("=\"\" autofocus");
            assertThat(page.statusCode()).as(path).isIn(200, 400, 404, 422);
        }
        assertThat(ann.get("/redrive/letters/" + letter.id()).body()).contains("alert(1)");
    }

    @Test
    void a_hostile_text_of_a_run_never_becomes_markup() {
        Caller ann = new Caller(Shop.urlOf(shop), "ann");
        String run = "/redrive/runs/" + Work.RUN;
        for (String path : List.of(
                run, run + "/report", run + "/dead", run + "/samples/3", run + "/ask/reprocess", "/redrive/events")) {
            HttpResponse<String> page = ann.get(path);
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.body()).as(path).doesNotContain("<script>alert");
        }
        assertThat(ann.get(run + "/samples/3").body()).contains("alert(1)");
    }
}
