package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.EventStore;
import io.redrive.events.SharedNotes.Note;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every resource over real HTTP, for each store. */
interface ApiContract {

    TestServer server();

    /** A letter of a new event, imported as operators do. */
    default long letter(String name, String error) {
        String id = UUID.randomUUID().toString();
        String line = """
                {"original_event":{"id":"%s","name":"%s","source":"shop","content_type":"application/json","payload":{"n":1}},\
                "abandoned_reason":"%s","timestamp":"2026-01-01T00:00:00Z","error_type":"IOException","last_error":"%s"}
                """.formatted(id, name, Reason.TIMEOUT.code(), error);
        DeadLetterJson.read(line, 1);
        assertThat(server().post("/api/v1/letters/import", line)
                        .json()
                        .path("imported")
                        .asInt())
                .isEqualTo(1);
        return server().get("/api/v1/letters?event_id=" + id)
                .json()
                .at("/items/0/id")
                .asLong();
    }

    private static void isProblem(Reply reply, int status, String... parts) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        for (String part : parts) {
            assertThat(reply.body()).contains(part);
        }
    }

    @Test
    default void a_published_event_is_stored_and_a_repeated_one_is_a_duplicate() {
        String event = "{\"id\":\"%s\",\"name\":\"order.paid\",\"source\":\"shop\",\"payload\":{\"total\":12.50}}"
                .formatted(UUID.randomUUID());

        Reply first = server().post("/api/v1/events", event);
        Reply second = server().post("/api/v1/events", event);

        assertThat(first.status()).as(first.body()).isEqualTo(202);
        assertThat(first.field("result")).isEqualTo("accepted");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.field("result")).isEqualTo("duplicate");
    }

    @Test
    default void an_idempotency_key_makes_a_repeated_request_a_duplicate() {
        String key = UUID.randomUUID().toString();
        String events = "[{\"name\":\"order.paid\",\"source\":\"shop\"},{\"name\":\"order.paid\",\"source\":\"shop\"}]";

        Reply first = server().post("/api/v1/events", events, "Idempotency-Key", key);
        Reply second = server().post("/api/v1/events", events, "Idempotency-Key", key);

        assertThat(first.json().at("/items/0/result").asString()).isEqualTo("accepted");
        assertThat(first.json().at("/items/1/result").asString()).isEqualTo("accepted");
        assertThat(second.json().at("/items/0/result").asString()).isEqualTo("duplicate");
        assertThat(second.json().at("/items/1/result").asString()).isEqualTo("duplicate");
        assertThat(second.json().at("/items/0/id")).isEqualTo(first.json().at("/items/0/id"));
        isProblem(server().post("/api/v1/events", events, "Idempotency-Key", "a b"), 400, "Idempotency-Key");
    }

    @Test
    default void cloud_events_are_taken_structured_binary_and_in_batches() {
        String structured =
                "{\"specversion\":\"1.0\",\"id\":\"%s\",\"source\":\"/shop\",\"type\":\"order.sent\",\"data\":{\"a\":1}}";
        String type = "application/cloudevents+json; charset=utf-8";

        assertThat(server().post("/api/v1/events", structured.formatted(UUID.randomUUID()), "Content-Type", type)
                        .status())
                .isEqualTo(202);
        Reply batch = server().post(
                        "/api/v1/events",
                        "[" + structured.formatted(UUID.randomUUID()) + "," + structured.formatted(UUID.randomUUID())
                                + "]",
                        "Content-Type",
                        "application/cloudevents-batch+json");
        assertThat(batch.json().path("items").size()).as(batch.body()).isEqualTo(2);
        String id = UUID.randomUUID().toString();
        Reply binary = server().send(
                        "POST",
                        "/api/v1/events",
                        new byte[] {0, 1, 2},
                        "Content-Type",
                        "application/octet-stream",
                        "ce-specversion",
                        "1.0",
                        "ce-id",
                        id,
                        "ce-source",
                        "/shop",
                        "ce-type",
                        "order.sent");
        assertThat(binary.field("id")).as(binary.body()).isEqualTo(id);
        isProblem(
                server().post("/api/v1/events", "{\"specversion\":\"0.3\"}", "Content-Type", type), 400, "specversion");
        String forged = structured.replace("\"data\"", "\"kafka-letter-place\":\"a/0@1\",\"data\"");
        isProblem(server().post("/api/v1/events", forged, "Content-Type", type), 400, "kafka-letter-place");
    }

    @Test
    default void a_wrong_event_is_refused_with_field_value_and_rule_and_none_of_its_batch_is_stored() {
        long before = server().get("/api/v1/events/stats").json().path("ready").asLong();

        isProblem(server().post("/api/v1/events", "[]"), 400, "at least one event");
        isProblem(server().post("/api/v1/events", "\"text\""), 400, "must be a JSON object");
        isProblem(server().post("/api/v1/events", "{"), 400, "must be valid JSON");
        isProblem(
                server().post(
                                "/api/v1/events",
                                "{\"name\":\"a.b\",\"source\":\"s\",\"headers\":{\"redrive-redacted\":\"payload\"}}"),
                400,
                "redrive-redacted",
                "must not be set by a publisher");
        isProblem(server().post("/api/v1/events", ""), 400, "must be JSON");
        isProblem(
                server().post("/api/v1/events", "{\"name\":\"a b\",\"source\":\"s\"}"),
                400,
                "\"field\":\"name\"",
                "\"value\":\"a b\"");
        isProblem(
                server().post("/api/v1/events", "{\"nmae\":\"a.b\",\"source\":\"s\",\"name\":\"a.b\"}"),
                400,
                "\"field\":\"nmae\"",
                "did you mean name?");
        isProblem(
                server().post("/api/v1/events", "[{\"name\":\"a.b\",\"source\":\"s\"},{\"name\":\"a.b\"}]"),
                400,
                "\"field\":\"[1].source\"");
        isProblem(
                server().post("/api/v1/events", "{\"name\":\"a.b\",\"source\":\"s\",\"id\":\"x\\u0000y\"}"), 400, "id");
        isProblem(
                server().send("POST", "/api/v1/events", new byte[] {'"', (byte) 0xff, '"'}), 400, "must be valid JSON");
        isProblem(
                server().post("/api/v1/events", "{\"name\":\"a.b\",\"source\":\"s\"}", "Content-Type", "text/xml"),
                415);
        assertThat(server().get("/api/v1/events/stats").json().path("ready").asLong())
                .isEqualTo(before);
    }

    @Test
    default void a_scheduled_event_is_listed_and_cancelled_once() {
        String id = UUID.randomUUID().toString();
        server().post(
                        "/api/v1/events",
                        "{\"id\":\"" + id + "\",\"name\":\"mail.later\",\"source\":\"shop\",\"delay\":\"10m\"}");

        assertThat(server().get("/api/v1/events/scheduled?name=mail.*&limit=1000")
                        .body())
                .contains(id);
        assertThat(server().send("DELETE", "/api/v1/events/" + id, new byte[0]).status())
                .isEqualTo(200);
        isProblem(server().send("DELETE", "/api/v1/events/" + id, new byte[0]), 404, id);
    }

    @Test
    default void letters_are_listed_page_by_page_and_shown_with_payload() {
        String name = "page.n" + System.nanoTime();
        long first = letter(name, "one");
        long second = letter(name, "two");
        long third = letter(name, "three");

        Reply page = server().get("/api/v1/letters?limit=2&name=" + name);
        Reply next = server().get("/api/v1/letters?limit=2&name=" + name + "&cursor=" + page.field("next_cursor"));
        Reply oldest = server().get("/api/v1/letters?order=oldest&name=" + name);

        assertThat(page.json().at("/items/0/id").asLong()).isEqualTo(third);
        assertThat(page.json().at("/items/1/id").asLong()).isEqualTo(second);
        assertThat(next.json().path("items").size()).isEqualTo(1);
        assertThat(next.field("next_cursor")).isEmpty();
        assertThat(oldest.json().at("/items/0/id").asLong()).isEqualTo(first);
        assertThat(server().get("/api/v1/letters/" + first)
                        .json()
                        .at("/original_event/payload/n")
                        .asInt())
                .isEqualTo(1);
        assertThat(server().get("/api/v1/letters/count?name=" + name)
                        .json()
                        .path("letters")
                        .asInt())
                .isEqualTo(3);
        assertThat(server().get("/api/v1/letters/groups?name=" + name)
                        .json()
                        .path("items")
                        .size())
                .isPositive();
        assertThat(server().get("/api/v1/letters/export?name=" + name).body().lines())
                .hasSize(3);
    }

    @Test
    default void wrong_parameters_are_refused_with_their_rule() {
        isProblem(server().get("/api/v1/letters?limit=-1"), 400, "\"field\":\"limit\"", "must be 1 to 1000");
        isProblem(server().get("/api/v1/letters?limit=1001"), 400, "must be 1 to 1000");
        isProblem(server().get("/api/v1/letters?limit=many"), 400, "must be a whole number");
        isProblem(server().get("/api/v1/letters?cursor=-5"), 400, "cursor");
        isProblem(server().get("/api/v1/letters?lmit=5"), 400, "did you mean limit?");
        isProblem(server().get("/api/v1/letters?limit=5&limit=6"), 400, "must be given once");
        isProblem(server().get("/api/v1/letters?since=yesterday"), 400, "must be a time such as");
        isProblem(server().get("/api/v1/letters?reason=nonsense"), 400, "reason");
        isProblem(server().get("/api/v1/letters?payload=currency"), 400, "payload", "POINTER=VALUE");
        isProblem(server().get("/api/v1/letters?order=sideways"), 400, "newest or oldest");
        isProblem(server().get("/api/v1/letters/abc"), 400);
        isProblem(server().get("/api/v1/letters/999999999"), 404, "999999999");
        isProblem(server().get("/api/v1/nothing"), 404);
        isProblem(server().send("PATCH", "/api/v1/letters", new byte[0]), 405);
    }

    @Test
    default void an_edited_letter_keeps_its_payload_as_a_version() {
        long id = letter("edit.me", "broken");

        assertThat(server().send(
                                "PUT",
                                "/api/v1/letters/" + id + "/payload",
                                "{\"n\":2}".getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(200);
        isProblem(
                server().send("PUT", "/api/v1/letters/" + id + "/payload", "{\"n\":".getBytes(StandardCharsets.UTF_8)),
                400,
                "not valid application/json");

        assertThat(server().get("/api/v1/letters/" + id)
                        .json()
                        .at("/original_event/payload/n")
                        .asInt())
                .isEqualTo(2);
        assertThat(server().get("/api/v1/letters/" + id + "/versions")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(server().get("/api/v1/actions?action=edit&limit=5").body()).contains("local");
    }

    @Test
    default void letters_are_redriven_by_a_started_operation() {
        String name = "redrive.n" + System.nanoTime();
        letter(name, "gone");

        Reply preview = server().post("/api/v1/redrives", "{\"filter\":{\"name\":\"" + name + "\"}}");
        assertThat(preview.status()).as(preview.body()).isEqualTo(200);
        assertThat(preview.field("state")).isEqualTo("previewed");
        String id = preview.field("id");
        assertThat(server().post("/api/v1/redrives/" + id + "/start", "").status())
                .isEqualTo(200);
        assertThat(server().get("/api/v1/redrives").body()).contains(id);
        assertThat(server().get("/api/v1/redrives/" + id + "/letters")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(1);
        isProblem(server().post("/api/v1/redrives/unknown/pause", ""), 409);
        isProblem(server().post("/api/v1/redrives", "{}"), 400, "exactly one of the three");
        isProblem(server().post("/api/v1/redrives", "{\"filter\":{}}"), 400, "must restrict");
    }

    @Test
    default void payloads_are_repaired_and_reverted() {
        String name = "repair.n" + System.nanoTime();
        letter(name, "gone");
        String letters = "{\"filter\":{\"name\":\"" + name + "\"}";

        Reply preview = server().post("/api/v1/repairs/preview", letters + ",\"expression\":\"{\\\"n\\\": n + 1}\"}");
        assertThat(preview.json().path("changed").asInt()).as(preview.body()).isEqualTo(1);
        assertThat(preview.json().at("/samples/0/after").asString()).contains("2");
        assertThat(server().post("/api/v1/repairs", letters + ",\"expression\":\"{\\\"n\\\": n + 1}\"}")
                        .json()
                        .path("changed")
                        .asInt())
                .isEqualTo(1);
        assertThat(server().post("/api/v1/repairs/revert", letters + "}")
                        .json()
                        .path("changed")
                        .asInt())
                .isEqualTo(1);
        isProblem(server().post("/api/v1/repairs", letters + ",\"expression\":\"((\"}"), 400, "expression");
    }

    @Test
    default void causes_are_cared_for() {
        long id = letter("cause.me", "cause " + System.nanoTime());
        String cause = server().get("/api/v1/letters/" + id).field("fingerprint");
        String path = "/api/v1/causes/" + cause;

        assertThat(server().post(path + "/assign", "{\"owner\":\"ann\"}").field("owner"))
                .isEqualTo("ann");
        assertThat(server().post(path + "/note", "{\"note\":\"look\"}").field("note"))
                .isEqualTo("look");
        assertThat(server().post(path + "/ticket", "{\"ticket\":\"https://example.org/1\"}")
                        .field("ticket"))
                .endsWith("/1");
        assertThat(server().post(path + "/resolve", "{\"fixed_in\":\"2.4.1\"}").field("status"))
                .isEqualTo("resolved");
        assertThat(server().post(path + "/reopen", "").field("status")).isEqualTo("assigned");
        assertThat(server().post(path + "/ignore", "{}").field("status")).isEqualTo("ignored");
        assertThat(server().get(path).field("fingerprint")).isEqualTo(cause);
        assertThat(server().get("/api/v1/causes").body()).contains(cause);
        assertThat(server().get("/api/v1/causes?status=ignored,resolved&owner=ann")
                        .body())
                .contains(cause);
        assertThat(server().get("/api/v1/causes?status=open,assigned").body()).doesNotContain(cause);
        assertThat(server().get("/api/v1/causes?owner=bob").body()).doesNotContain(cause);
        isProblem(server().get("/api/v1/causes?status=closed"), 400, "status");
        isProblem(server().get("/api/v1/causes?owner=%20"), 400, "owner");
        isProblem(server().post("/api/v1/causes/none/reopen", ""), 404);
        isProblem(server().post(path + "/merge", "{\"into\":\"none\"}"), 400);
    }

    @Test
    default void lists_of_causes_and_actions_go_on_behind_a_cursor() {
        for (int i = 0; i < 3; i++) {
            String cause = server().get("/api/v1/letters/" + letter("page.me", "page me " + "abc".charAt(i)))
                    .field("fingerprint");
            server().post("/api/v1/causes/" + cause + "/note", "{\"note\":\"seen\"}");
        }
        for (Map.Entry<String, String> list :
                Map.of("causes", "fingerprint", "actions", "command").entrySet()) {
            List<String> all = new ArrayList<>();
            Reply page = server().get("/api/v1/" + list.getKey() + "?limit=1000");
            page.json()
                    .path("items")
                    .forEach(item -> all.add(item.path(list.getValue()).asString()));
            List<String> paged = new ArrayList<>();
            String cursor = "";
            for (int i = 0; i < 2; i++) {
                page = server().get("/api/v1/" + list.getKey() + "?limit=1" + cursor);
                paged.add(page.json().at("/items/0/" + list.getValue()).asString());
                cursor = "&cursor=" + page.field("next_cursor");
            }
            assertThat(paged).as(list.getKey()).isEqualTo(all.subList(0, 2));
        }
        isProblem(server().get("/api/v1/causes?cursor=x"), 400, "cursor");
        isProblem(server().get("/api/v1/runs?cursor=none"), 400, "cursor", "must be the id of a run");
    }

    @Test
    default void a_proposal_is_made_and_approved_and_changes_nothing_before() {
        long id = letter("propose.me", "propose " + System.nanoTime());
        String fingerprint = server().get("/api/v1/letters/" + id).field("fingerprint");
        String selection = "\"why\":\"the bank is back\",\"ids\":[" + id + "]";

        Reply redrive = server().post("/api/v1/proposals", "{\"verb\":\"redrive\",\"canary\":true," + selection + "}");
        assertThat(redrive.field("state")).as(redrive.body()).isEqualTo("open");
        assertThat(redrive.field("asked")).as("in whole seconds").doesNotContain(".");
        assertThat(server().post("/api/v1/proposals", "{\"verb\":\"repair\",\"expression\":\"{}\"," + selection + "}")
                        .field("verb"))
                .isEqualTo("repair");
        Reply resolve = server().post(
                        "/api/v1/proposals",
                        "{\"verb\":\"resolve\",\"why\":\"fixed\",\"fingerprint\":\"" + fingerprint + "\"}");
        assertThat(server().get("/api/v1/causes/" + fingerprint).field("status"))
                .isNotEqualTo("resolved");
        String path = "/api/v1/proposals/" + resolve.json().path("number").asInt();
        assertThat(server().post(path + "/approve", "").field("state")).isEqualTo("approved");
        assertThat(server().get("/api/v1/causes/" + fingerprint).field("status"))
                .isEqualTo("resolved");
        isProblem(server().post(path + "/reject", "{\"reason\":\"late\"}"), 409, "must be open");
        isProblem(server().post("/api/v1/proposals/999999/approve", ""), 404, "999999");
        isProblem(server().post("/api/v1/proposals/999999/withdraw", "{}"), 404, "999999");
        isProblem(server().post("/api/v1/proposals", "{\"verb\":\"purge\"," + selection + "}"), 400, "verb");
        isProblem(server().post("/api/v1/proposals", "{\"verb\":\"repair\"," + selection + "}"), 400, "expression");
        isProblem(
                server().post("/api/v1/proposals", "{\"verb\":\"redrive\",\"start\":true," + selection + "}"),
                400,
                "start");
        isProblem(server().post("/api/v1/proposals", "{\"verb\":\"redrive\",\"ids\":[" + id + "]}"), 400, "why");
    }

    @Test
    default void names_are_paused_and_resumed() {
        assertThat(server().send(
                                "PUT",
                                "/api/v1/pauses/pause.me.*",
                                "{\"reason\":\"deploy\"}".getBytes(StandardCharsets.UTF_8))
                        .field("pattern"))
                .isEqualTo("pause.me.*");
        assertThat(server().get("/api/v1/pauses").body()).contains("deploy");
        assertThat(server().send("DELETE", "/api/v1/pauses/pause.me.*", new byte[0])
                        .status())
                .isEqualTo(200);
        isProblem(server().send("DELETE", "/api/v1/pauses/pause.me.*", new byte[0]), 404);
    }

    @Test
    default void policies_are_read_explained_and_changed_for_all_nodes() {
        byte[] change = "{\"settings\":{\"max-attempts\":9}}".getBytes(StandardCharsets.UTF_8);

        assertThat(server().send("PUT", "/api/v1/policies/rate.limited.*", change)
                        .json()
                        .at("/shared/max-attempts")
                        .asString())
                .isEqualTo("9");
        assertThat(server().get("/api/v1/policies/explain?name=rate.limited.api")
                        .json()
                        .path("rows")
                        .size())
                .isEqualTo(8);
        assertThat(server().get("/api/v1/policies").body()).contains("rate.limited.*");
        isProblem(
                server().send(
                                "PUT",
                                "/api/v1/policies/rate.limited.*",
                                "{\"settings\":{\"max-atempts\":9}}".getBytes(StandardCharsets.UTF_8)),
                400,
                "max-atempts",
                "max-attempts");
        isProblem(server().get("/api/v1/policies/explain"), 400, "name");
        assertThat(server().send(
                                "PUT",
                                "/api/v1/policies/rate.limited.*",
                                "{\"settings\":{}}".getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(200);
        assertThat(server().get("/api/v1/policies").json().at("/shared").toString())
                .doesNotContain("rate.limited");
    }

    @Test
    default void a_server_tells_how_it_stands() {
        assertThat(server().get("/api/v1/status").json().at("/events/ready").isNumber())
                .isTrue();
        assertThat(server().get("/api/v1/me").field("role")).isEqualTo("admin");
        assertThat(server().get("/api/v1/activity?last=1h&slices=10")
                        .json()
                        .path("slices")
                        .isArray())
                .isTrue();
        assertThat(server().get("/api/v1/alerts").json().path("items").isArray())
                .isTrue();
        assertThat(server().get("/api/v1/nodes").json().path("items").isArray()).isTrue();
        assertThat(server().get("/api/v1/events/unhandled").json().path("items").isArray())
                .isTrue();
        assertThat(server().get("/api/v1/runs").json().path("items").isArray()).isTrue();
        isProblem(server().get("/api/v1/runs/none/report"), 404);
        assertThat(server().get("/health/live").status()).isEqualTo(200);
        assertThat(server().get("/health/ready").status()).isEqualTo(200);
        assertThat(server().get("/metrics").body()).contains("jvm_memory_used_bytes");
        isProblem(server().get("/actuator/env"), 404);
    }

    /** The note is that of a node whose clock is ahead, so that its report is never stale. */
    @Test
    default void flows_of_nodes_are_told_with_the_letters_of_their_topics() {
        letter("flow.me", "broken");
        server().bean("redriveStore", EventStore.class).notes().write(Note.first("flow", "a", """
                        flow\tshop-1\t<b>bill\torders\t2999-01-01T00:00:00Z\truns\tyes\t7\t100\t3\t12
                        topic\torders\t300\t1204\t2003\t3\t1\t2\tno\tflow.me
                        partition\t0\t7\t1200\t2000\t3\t1\tbrake
                        """));

        JsonNode group = server().get("/api/v1/kafka").json().at("/groups/0");

        assertThat(group.path("group").asString()).isEqualTo("<b>bill");
        assertThat(group.at("/nodes/0/state").asString()).isEqualTo("running");
        assertThat(group.at("/nodes/0/lag_left_out").asInt()).isEqualTo(12);
        assertThat(group.at("/topics/0/letters").asInt()).isEqualTo(1);
        assertThat(group.at("/topics/0/lag").asInt()).isEqualTo(1204);
        assertThat(group.at("/partitions/0/node").asString()).isEqualTo("shop-1");
        assertThat(group.at("/partitions/0/pause").asString()).isEqualTo("brake");
    }

    /** {@link TestServer} checks each answer against the schemas of the document. */
    @Test
    default void every_list_has_its_documented_form() {
        letter("form.me", "a form");
        Map<String, String> needed = Map.of(
                "/events/find", "?by=name&text=form.me",
                "/policies/explain", "?name=order.paid",
                "/events/finished/failures", "?event_id=x&origin=1");
        for (String path : TestServer.plainLooks()) {
            Reply reply = server().get("/api/v1" + path + needed.getOrDefault(path, ""));
            assertThat(reply.status()).as(path + ": " + reply.body()).isEqualTo(path.endsWith("failures") ? 404 : 200);
        }
        assertThat(server().get("/api/v1/letters?form=whole&limit=3")
                        .json()
                        .at("/items/0/original_event")
                        .isObject())
                .isTrue();
        assertThat(server().get("/api/v1/letters?form=history&order=oldest&limit=3")
                        .json()
                        .at("/items/0/history")
                        .isArray())
                .isTrue();
        isProblem(server().get("/api/v1/letters?form=history"), 400, "form");
        isProblem(server().get("/api/v1/events/find?by=colour&text=x"), 400, "id, correlation, key, name");
        isProblem(server().get("/api/v1/events/finished?name=a.b&since=2026-01-01T00:00:00Z"), 400, "since");
        isProblem(server().get("/api/v1/runs/none/workers"), 404, "none");
        isProblem(server().get("/api/v1/runs/none/samples/1"), 404, "none");
        isProblem(server().get("/api/v1/runs/none/sample?id=x"), 404, "none");
        assertThat(server().post("/api/v1/runs/reprocess", "{\"pipeline\":\"none\"}")
                        .json()
                        .path("samples")
                        .asInt())
                .isZero();
    }

    @Test
    default void a_letter_is_compared_made_a_test_and_looked_at_before_a_redrive() {
        long id = letter("look.me", "look " + System.nanoTime());
        String path = "/api/v1/letters/" + id;
        String cause = server().get(path).field("fingerprint");

        assertThat(server().get(path + "/differences").json().path("enough").isBoolean())
                .isTrue();
        assertThat(server().get(path + "/test?package=com.example").field("source"))
                .contains("package com.example;", "look.me");
        isProblem(server().get(path + "/test?package=1"), 400, "Java name");
        assertThat(server().get("/api/v1/causes/" + cause)
                        .json()
                        .at("/fix/state")
                        .asString())
                .isEqualTo("not_applicable");
        assertThat(server().get("/api/v1/causes/" + cause + "/differences")
                        .json()
                        .path("letters")
                        .asInt())
                .isEqualTo(1);
        Reply look =
                server().post("/api/v1/redrives/look", "{\"filter\":{\"ids\":[" + id + "],\"redacted\":\"included\"}}");
        assertThat(look.json().path("letters").asInt()).as(look.body()).isEqualTo(1);
        assertThat(look.json().path("overtaken").asInt()).isZero();
        isProblem(
                server().post("/api/v1/redrives/look", "{\"filter\":{\"redacted\":\"some\"}}"),
                400,
                "included, excluded");
        assertThat(server().send("PUT", path + "/payload?unchecked=true", "{".getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void the_console_shows_the_store_and_is_where_a_browser_ends_up() {
        assertThat(server().get("/").header("Location")).isEqualTo("/redrive");
        Reply page = server().get("/redrive");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.header("Content-Security-Policy")).doesNotContain("unsafe");
    }

    @Test
    default void a_stream_goes_on_after_the_last_event() throws Exception {
        String name = "stream.n" + System.nanoTime();
        long first = letter(name, "one");
        long second = letter(name, "two");
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().url() + "/api/v1/stream?name=" + name))
                .header("Last-Event-ID", String.valueOf(first))
                .build();

        try (Stream<String> lines =
                HttpClient.newHttpClient().send(request, BodyHandlers.ofLines()).body()) {
            assertThat(lines.filter(line -> line.startsWith("id:")).findFirst()).contains("id:" + second);
        }
        isProblem(server().get("/api/v1/stream", "Last-Event-ID", "x", "Accept", "*/*"), 400, "Last-Event-ID");
    }

    @Test
    default void letters_are_purged_by_a_selection_that_restricts() {
        long id = letter("purge.me", "x");

        assertThat(server().post("/api/v1/letters/preview", "{\"ids\":[" + id + ",999999]}")
                        .json()
                        .path("missing")
                        .size())
                .isEqualTo(1);
        assertThat(server().post("/api/v1/letters/purge", "{\"ids\":[" + id + "]}")
                        .json()
                        .path("purged")
                        .asInt())
                .isEqualTo(1);
        isProblem(server().get("/api/v1/letters/" + id), 404);
    }
}
