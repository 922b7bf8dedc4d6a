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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that strangers wrote reach pages as text, in every field that can hold text. */
class HostileTextIT {

    @RegisterExtension
    static final OpenShop SHOP = new OpenShop();

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
        Caller ann = SHOP.as("ann");
        EventStore store = SHOP.store();
        store.deadLetters().importLetters(List.of(Incident.hostile(text, Instant.now())), text, Instant.now());
        DeadLetter letter =
                store.deadLetters().newest(LetterFilter.ALL, Long.MAX_VALUE, 1).get(0);
        store.deadLetters()
                .edit(
                        letter.id(),
                        ("[\"" + text.replace("\"", "\\\"") + "\"]").getBytes(StandardCharsets.UTF_8),
                        text,
                        Instant.now());
        String cause = "/cause?cause=" + Query.encoded(letter.fingerprint());
        Map<String, String> care = Map.of("cause", letter.fingerprint(), "note", text, "owner", text, "ticket", text);
        for (String command : List.of("note", "assign", "ticket")) {
            assertThat(ann.submit(cause, "/cause/" + command, care).statusCode())
                    .isEqualTo(303);
        }
        ann.submit("/pauses", "/pauses", Map.of("names", "x.*", "reason", text));

        String query = Query.encoded(text);
        for (String path : List.of(
                "",
                "/letters",
                "/letters?text=" + query + "&error=" + query + "&since=" + query + "&cause=" + query,
                "/letters?name=order.*&text=" + query,
                "/letters?payload=" + query,
                "/letters?payload=/a%3D" + query,
                "/letters/" + letter.id(),
                "/letters/" + letter.id() + "/edit",
                "/redrive?id=" + letter.id(),
                "/purge?text=" + query,
                "/repair?id=" + letter.id() + "&expression=" + query,
                "/causes?show=all",
                "/causes?show=" + query,
                cause,
                "/cause?cause=" + query,
                "/pauses",
                "/record",
                "/record?operator=" + query,
                "/policies?name=" + query,
                "/policies/draft?pattern=" + query,
                "/policies/draft?pattern=x.*&sent=1&max-attempts=" + query + "&jitter=" + query,
                "/policies/draft?pattern=x.*&sent=1&further=" + query,
                "/policies/replay?pattern=" + query + "&sent=1",
                "/access",
                "/proposals?show=" + query,
                "/proposals/" + query.replace("%2F", "-"),
                "/events?q=" + query,
                "/events?q=" + Query.encoded("key-" + text),
                "/events?q=" + Query.encoded("correlation-" + text) + "&by=correlation",
                "/events?q=a&by=" + query + "&state=" + query,
                "/event?id=" + Query.encoded("id-" + text),
                "/event?id=" + query,
                "/runs?pipeline=" + query,
                "/runs/" + Work.RUN + "/dead?stage=" + query + "&error=" + query,
                "/runs/" + Work.RUN + "/ask/reprocess?error=" + query,
                "/operations/" + query.replace("%2F", "-"))) {
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
        assertThat(ann.get("/letters/" + letter.id()).body()).contains("alert(1)");
    }

    @Test
    void a_hostile_text_of_a_run_never_becomes_markup() {
        Caller ann = SHOP.as("ann");
        String run = "/runs/" + Work.RUN;
        for (String path :
                List.of(run, run + "/report", run + "/dead", run + "/samples/3", run + "/ask/reprocess", "/events")) {
            HttpResponse<String> page = ann.get(path);
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(page.body()).as(path).doesNotContain("<script>alert");
        }
        assertThat(ann.get(run + "/samples/3").body()).contains("alert(1)");
    }
}
