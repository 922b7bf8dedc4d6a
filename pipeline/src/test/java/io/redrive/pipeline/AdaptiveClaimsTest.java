package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.ClaimRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The standard profile under load: quick handlers get more claims, slow handlers keep none from other nodes. */
class AdaptiveClaimsTest {

    private static final Duration STEP = Duration.ofMillis(5);

    private final Rig rig = new Rig();
    private final HookedStore store = new HookedStore(rig.store);

    private int largestClaim() {
        return store.claims.stream().mapToInt(ClaimRequest::demand).max().orElse(0);
    }

    @Test
    void quick_handlers_of_many_events_make_the_claims_grow_within_their_bounds() {
        Pipeline pipeline = rig.pipelineOn(store)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.events("order.paid", 10_000));
        pipeline.step();
        assertThat(largestClaim()).isEqualTo(50);
        while (rig.handled.size() < 10_000) {
            rig.time.advance(STEP);
            pipeline.step();
        }
        assertThat(largestClaim()).isGreaterThan(50).isLessThanOrEqualTo(500);
        assertThat(rig.handled).doesNotHaveDuplicates();
        assertThat(pipeline.describe()).contains("lane domain: holds up to ", "(200 to 2000)", "events/s");
    }

    @Test
    void a_profile_without_growth_claims_as_it_says() {
        Pipeline pipeline = rig.pipelineOn(store)
                .profile(Profile.STANDARD.withGrowth(1))
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.events("order.paid", 5_000));
        while (rig.handled.size() < 5_000) {
            rig.time.advance(STEP);
            pipeline.step();
        }
        assertThat(largestClaim()).isEqualTo(50);
    }

    @Test
    void claims_go_back_to_the_store_when_quick_handlers_become_slow() {
        QueuedExecutor executor = new QueuedExecutor();
        Pipeline pipeline = rig.pipelineOn(store)
                .executor(executor)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.events("order.paid", 10_000));
        while (rig.stats().claimed() < 1_000) {
            rig.time.advance(STEP);
            pipeline.step();
            executor.runAll();
        }
        rig.run(pipeline, Duration.ofSeconds(3), Duration.ofMillis(100));

        assertThat(rig.stats().claimed()).isLessThanOrEqualTo(2 * 200);
        assertThat(rig.stats().ready()).isGreaterThan(0);
        int soFar = rig.handled.size();
        executor.runAll();
        pipeline.drain();
        assertThat(rig.handled).hasSizeGreaterThan(soFar).doesNotHaveDuplicates();
        assertThat(rig.letters()).isEmpty();
    }
}
