package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Texts that strangers wrote reach pages as text, in every field that can hold text. */
class HostileTextIT {

    private static ConfigurableApplicationContext shop;
    private static EventStore store;

    @BeforeAll
    static void start() {
        shop = Shop.start("shop.open=true");
        store = shop.getBean(EventStore.class);
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
}
