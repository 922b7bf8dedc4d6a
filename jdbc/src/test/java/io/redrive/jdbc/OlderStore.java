package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The rows of a store whose tables have an older version, and the answers of that store once it was brought up to date. */
final class OlderStore {

    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
    private static final long AT = 1_767_225_600_000_000L;

    private OlderStore() {}

    /**
     * Statements in both dialects with the columns of the first version.
     *
     * @param schema ends with a dot, or is empty
     * @param actionsHaveCommands true for versions that name the command of each action
     */
    static List<String> rows(String schema, String payload, boolean actionsHaveCommands) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String cause = i < 3 ? "cause-a" : "cause-b";
            String name = i == 1 ? "order.sent" : "order.paid";
            rows.add("INSERT INTO " + schema
                    + "dead_letters (origin, reason, error_type, last_error, fingerprint, service,"
                    + " failed, interrupted, crashed, redrives, auto_redrives, dead_at, event_id, correlation_id, name,"
                    + " source, priority, content_type, created_at, due_at, payload) VALUES (" + (i + 1)
                    + ", 'timeout', 'IOException', 'gone " + i + "', '" + cause + "', 'shop', 1, 0, 0, 0, 0, "
                    + (AT + i * 1_000_000L) + ", 'd" + i + "', '', '" + name + "', 'shop', 1, 'text/plain', " + AT
                    + ", " + AT + ", " + payload + ")");
        }
        rows.add(
                "INSERT INTO " + schema + "attempts (origin, number, at, node, duration, error_type, message, decision,"
                        + " why) VALUES (1, 1, " + AT + ", 'node-1', 5, 'IOException', 'gone 0', 'dead', 'timeout')");
        rows.add("INSERT INTO " + schema + "operator_actions (at, operator, action, detail, letters"
                + (actionsHaveCommands ? ", command" : "") + ") VALUES (" + AT + ", 'ann', 'purge', 'old times', 7"
                + (actionsHaveCommands ? ", 'command-1'" : "") + ")");
        return rows;
    }

    /** Checks every row, then lets events end and letters leave. */
    static void check(EventStore store, String version) {
        DeadLetters letters = store.deadLetters();
        List<DeadLetter> all = letters.listWithHistory(LetterFilter.ALL, 0, 10);
        assertThat(all)
                .as("letters of version %s", version)
                .extracting(letter -> letter.event().id() + " " + letter.lastError() + " "
                        + new String(letter.event().payload(), StandardCharsets.UTF_8))
                .containsExactly("d0 gone 0 old", "d1 gone 1 old", "d2 gone 2 old", "d3 gone 3 old", "d4 gone 4 old");
        assertThat(all.get(0).history()).extracting(AttemptRecord::message).containsExactly("gone 0");
        assertThat(letters.actions(10)).extracting(OperatorAction::letters).containsExactly(7L);

        assertThat(letters.count(LetterFilter.ALL)).isEqualTo(5);
        assertThat(store.stats(NOW).dead()).isEqualTo(5);
        assertThat(letters.countByCause(List.of("cause-a", "cause-b"))).isEqualTo(Map.of("cause-a", 3L, "cause-b", 2L));
        assertThat(letters.groups(LetterFilter.ALL, 10))
                .containsExactly(
                        group("cause-a", "gone 0", 3, List.of("order.paid", "order.sent"), 0, 2),
                        group("cause-b", "gone 3", 2, List.of("order.paid"), 3, 4));

        assertThat(store.publish(List.of(event("e0")), NOW).get(0).isDuplicate())
                .isTrue();
        List<Claim> claims =
                store.claim(new ClaimRequest("node-1", Lane.DOMAIN, 10, false, Duration.ofSeconds(30), NOW));
        assertThat(claims).extracting(claim -> claim.event().id()).containsExactlyInAnyOrder("e0", "e1");
        Claim dies = claims.stream()
                .max(Comparator.comparing(claim -> claim.event().id()))
                .orElseThrow();
        AttemptRecord attempt = new AttemptRecord(1, NOW, "node-1", Duration.ZERO, "E", "new", "dead", "because");
        store.settle(List.of(new Settlement.Dead(dies, Reason.TIMEOUT, attempt, "cause-a", "shop")), NOW);
        assertThat(letters.count(LetterFilter.ALL.withFingerprint("cause-a"))).isEqualTo(4);
        assertThat(letters.redrive(new RedriveRequest(LetterFilter.ALL, 10, "batch-1", "ann", false, NOW)))
                .isEqualTo(6);
        assertThat(letters.count(LetterFilter.ALL)).isZero();
        assertThat(letters.groups(LetterFilter.ALL, 10)).isEmpty();
    }

    private static LetterGroup group(
            String cause, String example, long letters, List<String> names, int first, int last) {
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        return new LetterGroup(
                cause, "IOException", example, letters, names, start.plusSeconds(first), start.plusSeconds(last));
    }

    private static Event event(String id) {
        return Event.named("order.paid").id(id).source("shop").created(NOW).build();
    }
}
