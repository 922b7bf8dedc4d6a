package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Exchange;
import io.redrive.events.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store with a row that cannot be read. */
class UnreadableEventTest {

    private final Rig rig = new Rig();

    private final HookedStore store = new HookedStore(rig.store) {
        @Override
        public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
            Exchange found = super.exchange(settlements, requests, now);
            return new Exchange(
                    found.stale(),
                    found.claims().stream()
                            .map(UnreadableEventTest::firstIsBroken)
                            .toList());
        }
    };

    private static Claim firstIsBroken(Claim claim) {
        return new Claim(
                claim.event(),
                claim.position(),
                claim.token(),
                claim.attempts(),
                claim.firstClaimed(),
                claim.lastDelay(),
                claim.redrives(),
                claim.deadline(),
                claim.event().id().equals("e1") ? Optional.of("headers must be a JSON object") : Optional.empty());
    }

    @Test
    void an_event_that_the_store_cannot_read_is_dead_as_invalid_and_no_handler_sees_it() {
        Pipeline pipeline = rig.pipelineOn(store)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        rig.store.publish(rig.events("order.paid", 3), rig.time.now());
        pipeline.drain();
        assertThat(rig.handled).containsExactlyInAnyOrder("e2", "e3");
        assertThat(rig.onlyLetter().event().id()).isEqualTo("e1");
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(rig.onlyLetter().lastError()).isEqualTo("headers must be a JSON object");
    }
}
