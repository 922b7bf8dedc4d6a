package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterOutbox;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Notes of new letters: each letter once for each outbox, leases of senders, and an end for forgotten outboxes. */
interface LetterOutboxContract extends StoreUnderTest {

    /** The lease of a sender. */
    Duration SENDING = Duration.ofMinutes(1);

    @Test
    default void each_letter_that_arrives_is_noted_once_for_each_outbox() {
        StoreDriver on = open();
        LetterOutbox outbox = on.store().letterOutbox();
        bury(on, "before");
        outbox.open("a", on.time().now());
        outbox.open("b", on.time().now());
        outbox.open("a", on.time().now());
        bury(on, "one", "two");
        List<Long> ids = letterIds(on, "one", "two");
        assertThat(outbox.waiting("a")).isEqualTo(2);
        assertThat(outbox.take("a", 10, SENDING, on.time().now())).isEqualTo(ids);
        outbox.sent("a", ids);
        assertThat(outbox.waiting("a")).isZero();
        assertThat(joined(on).letterOutbox().take("b", 1, SENDING, on.time().now()))
                .isEqualTo(ids.subList(0, 1));
        assertThat(outbox.take("b", 10, SENDING, on.time().now())).isEqualTo(ids.subList(1, 2));
        outbox.sent("unknown", ids);
        assertThat(outbox.take("unknown", 10, SENDING, on.time().now())).isEmpty();
    }

    @Test
    default void notes_that_a_dead_sender_had_taken_are_taken_again_after_the_lease() {
        StoreDriver on = open();
        LetterOutbox outbox = on.store().letterOutbox();
        outbox.open("a", on.time().now());
        bury(on, "one");
        List<Long> taken = outbox.take("a", 10, SENDING, on.time().now());
        assertThat(taken).hasSize(1);
        assertThat(outbox.take("a", 10, SENDING, on.time().now())).isEmpty();
        on.time().advance(SENDING);
        assertThat(outbox.take("a", 10, SENDING, on.time().now())).isEqualTo(taken);
    }

    @Test
    default void a_closed_and_a_forgotten_outbox_get_no_notes() {
        StoreDriver on = open();
        LetterOutbox outbox = on.store().letterOutbox();
        outbox.open("closed", on.time().now());
        outbox.open("forgotten", on.time().now());
        outbox.open("used", on.time().now());
        bury(on, "one");
        outbox.close("closed");
        on.time().advance(LetterOutbox.FORGOTTEN.minusDays(1));
        assertThat(outbox.take("used", 10, SENDING, on.time().now())).hasSize(1);
        on.time().advance(Duration.ofDays(2));
        bury(on, "two");
        assertThat(outbox.waiting("closed")).isZero();
        assertThat(outbox.waiting("forgotten")).isEqualTo(1);
        assertThat(outbox.waiting("used")).isEqualTo(2);
    }

    @Test
    default void bad_names_and_limits_of_an_outbox_are_refused() {
        StoreDriver on = open();
        LetterOutbox outbox = on.store().letterOutbox();
        for (String name : List.of("", " ", "x".repeat(LetterOutbox.MAX_NAME + 1), "a\0b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> outbox.open(name, on.time().now()))
                    .withMessageContaining("outbox must be 1 to 200 characters");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.take("a", 0, SENDING, on.time().now()))
                .withMessageContaining("got 0");
    }

    private static void bury(StoreDriver on, String... ids) {
        on.publish(ids);
        for (Claim claim : on.claim()) {
            on.dead(claim);
        }
    }

    private static List<Long> letterIds(StoreDriver on, String... events) {
        List<String> wanted = List.of(events);
        return on.store().deadLetters().list(LetterFilter.ALL, 0, 100).stream()
                .filter(letter -> wanted.contains(letter.event().id()))
                .map(DeadLetter::id)
                .toList();
    }
}
