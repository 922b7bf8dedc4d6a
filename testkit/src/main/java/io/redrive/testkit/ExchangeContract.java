package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import io.redrive.events.Settlement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settling and claiming in one transaction. */
interface ExchangeContract extends StoreUnderTest {

    @Test
    default void an_exchange_settles_first_and_can_claim_events_freed_by_a_settlement() {
        StoreDriver on = open();
        on.publish(on.event("a").orderingKey("k"), on.event("b").orderingKey("k"));
        Claim first = on.claimOne();
        Exchange exchange = exchange(on, List.of(new Settlement.Done(first)), request(on, Lane.DOMAIN, 5));
        assertThat(exchange.stale()).isEmpty();
        assertThat(StoreDriver.ids(exchange.claims())).containsExactly("b");
    }

    @Test
    default void an_exchange_answers_its_requests_one_after_the_other() {
        StoreDriver on = open();
        on.publish(
                on.event("a"), on.event("b"), on.event("c"), on.event("urgent").priority(Priority.CRITICAL));
        Exchange exchange = exchange(
                on,
                List.of(),
                request(on, Lane.CRITICAL, 5),
                request(on, Lane.DOMAIN, 2),
                request(on, Lane.DOMAIN, 2),
                request(on, Lane.SUSPECT, 1));
        assertThat(StoreDriver.ids(exchange.claims())).containsExactly("urgent", "a", "b", "c");
        assertThat(exchange.claims()).extracting(Claim::token).isSorted();
    }

    @Test
    default void a_stale_settlement_does_not_keep_an_exchange_from_claiming() {
        StoreDriver on = open();
        on.publish("a", "b");
        Claim claim = on.claim(Lane.DOMAIN, 1).get(0);
        on.done(claim);
        Exchange exchange = exchange(on, List.of(new Settlement.Done(claim)), request(on, Lane.DOMAIN, 5));
        assertThat(exchange.stale()).containsExactly(claim);
        assertThat(StoreDriver.ids(exchange.claims())).containsExactly("b");
    }

    @Test
    default void an_empty_exchange_changes_nothing() {
        StoreDriver on = open();
        on.publish("a");
        assertThat(exchange(on, List.of())).isEqualTo(new Exchange(List.of(), List.of()));
        assertThat(on.store().stats(on.time().now()).ready()).isEqualTo(1);
    }

    @Test
    default void an_exchange_claims_no_more_once_its_payloads_are_large_enough() {
        StoreDriver on = open();
        int fit = (int) (ClaimRequest.MAX_BYTES / EventStore.DEFAULT_MAX_PAYLOAD);
        for (int i = 0; i < fit + 4; i++) {
            on.publish(on.event("large-" + i)
                    .payload(new byte[EventStore.DEFAULT_MAX_PAYLOAD], "application/octet-stream"));
        }
        int half = fit / 2 + 1;
        List<String> claimed = new ArrayList<>(
                StoreDriver.ids(exchange(on, List.of(), request(on, Lane.DOMAIN, half), request(on, Lane.DOMAIN, half))
                        .claims()));
        assertThat(claimed).hasSize(fit);
        claimed.addAll(StoreDriver.ids(
                exchange(on, List.of(), request(on, Lane.DOMAIN, half)).claims()));
        assertThat(claimed).hasSize(fit + 4).doesNotHaveDuplicates();
    }

    private static ClaimRequest request(StoreDriver on, Lane lane, int demand) {
        return new ClaimRequest(
                StoreDriver.NODE,
                lane,
                demand,
                false,
                StoreDriver.LEASE,
                on.time().now());
    }

    private static Exchange exchange(StoreDriver on, List<Settlement> settlements, ClaimRequest... requests) {
        return on.store().exchange(settlements, List.of(requests), on.time().now());
    }
}
