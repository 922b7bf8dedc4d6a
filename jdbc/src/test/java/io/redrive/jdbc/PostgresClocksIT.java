package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes whose clocks differ from the server's: each time in a claim is on the clock of the claiming node. */
final class PostgresClocksIT {

    private static final Duration LEFT = Duration.ofMinutes(30);

    private final ManualTime time = new ManualTime();

    @TempDir
    private Path dir;

    private PostgresStore store;

    @BeforeEach
    void open() {
        store = PostgresServer.get().create(dir, time);
    }

    @ParameterizedTest(name = "claimed by a node {0} minutes ahead")
    @ValueSource(ints = {-60, 0, 60})
    void a_claim_tells_its_deadline_on_the_clock_of_the_claiming_node(int minutesAhead) {
        Instant deadline = time.now().plus(LEFT);
        publish(event().deadline(deadline), time.now());
        Instant nodeNow = time.now().plus(Duration.ofMinutes(minutesAhead));
        Claim claim = claim(nodeNow);
        assertThat(claim.deadline()).as("30 minutes from now").hasValue(nodeNow.plus(LEFT));
        assertThat(claim.event().deadline()).as("as published").hasValue(deadline);
        assertThat(claim.firstClaimed()).isEqualTo(nodeNow);
    }

    @Test
    void a_claim_of_an_event_without_a_deadline_has_none() {
        publish(event(), time.now());
        assertThat(claim(time.now().plusSeconds(3_600)).deadline()).isEmpty();
    }

    @Test
    void a_deadline_in_a_distant_future_can_be_claimed_by_any_node() {
        publish(event().deadline(Instant.MAX), time.now());
        assertThat(claim(time.now().plusSeconds(3_600)).deadline().orElseThrow())
                .isAfter(time.now().plus(Duration.ofDays(100_000_000)));
    }

    private void publish(Event.Builder event, Instant publishersNow) {
        store.publish(List.of(event.build()), publishersNow);
    }

    private Claim claim(Instant nodeNow) {
        List<Claim> claims =
                store.claim(new ClaimRequest("node", Lane.DOMAIN, 10, false, Duration.ofSeconds(30), nodeNow));
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    private Event.Builder event() {
        return Event.named("order.paid").source("shop").time(time);
    }
}
