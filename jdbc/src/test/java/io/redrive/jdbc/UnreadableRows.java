package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that breaks the rules of events becomes a dead letter, without an effect on its neighbours. */
abstract class UnreadableRows {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final byte[] PAYLOAD = {1, 2, (byte) 0xFF};

    /** The store under test. */
    abstract EventStore store();

    /** Changes the row of the event with the id {@code bad}. */
    abstract void plant(String change);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "headers = '{\"broken'",
                "headers = '[1, 2]'",
                "headers = '{\"a\": {\"b\": 1}}'",
                "name = 'no such name!'",
                "priority = 9",
                "priority = -1",
                "source = ''",
                "content_type = ' '",
                "deadline_at = 1"
            })
    void the_row_is_claimed_and_buried_with_its_payload_and_the_others_go_on(String change) {
        publishThree();
        plant(change);
        List<Claim> claims = claim();
        assertThat(claims).extracting(claim -> claim.event().id()).containsExactly("bad", "other");
        Claim bad = claims.get(0);
        assertThat(bad.unreadable()).isPresent();
        assertThat(claims.get(1).unreadable()).isEmpty();
        store().settle(List.of(dead(bad), new Settlement.Done(claims.get(1))), NOW);
        DeadLetter letter = store().deadLetters().list(LetterFilter.ALL, 0, 10).get(0);
        assertThat(letter.reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(letter.event().id()).isEqualTo("bad");
        assertThat(letter.event().payload()).isEqualTo(PAYLOAD);
        assertThat(store().deadLetters().find(letter.id())).isPresent();
        assertThat(claim())
                .as("the next of its ordering key")
                .extracting(claim -> claim.event().id())
                .containsExactly("next");
    }

    @Test
    void an_id_that_cannot_be_read_is_replaced_by_the_position() {
        publishThree();
        plant("event_id = ''");
        Claim bad = claim().get(0);
        assertThat(bad.event().id()).isEqualTo("unreadable-" + bad.position());
        assertThat(bad.event().name()).isEqualTo("order.paid");
    }

    @Test
    void headers_that_cannot_be_read_are_kept_as_text() {
        publishThree();
        plant("headers = '{\"broken'");
        assertThat(claim().get(0).event().headers()).isEqualTo(Map.of("unreadable-headers", "{\"broken"));
    }

    private void publishThree() {
        store().publish(
                        List.of(
                                event("bad").orderingKey("k").build(),
                                event("next").orderingKey("k").build(),
                                event("other").build()),
                        NOW);
    }

    private static Event.Builder event(String id) {
        return Event.named("order.paid")
                .id(id)
                .source("shop")
                .created(NOW)
                .header("tenant", "7")
                .payload(PAYLOAD, "application/octet-stream");
    }

    private List<Claim> claim() {
        return store().claim(new ClaimRequest("node", Lane.DOMAIN, 10, false, Duration.ofMinutes(5), NOW)).stream()
                .sorted((a, b) -> Long.compare(a.position(), b.position()))
                .toList();
    }

    private static Settlement dead(Claim claim) {
        String why = claim.unreadable().orElseThrow();
        AttemptRecord attempt = new AttemptRecord(1, NOW, "node", Duration.ZERO, "invalid_event", why, "dead", why);
        return new Settlement.Dead(claim, Reason.INVALID_EVENT, attempt, "cause", "shop");
    }
}
