package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.AdaptiveLimit;
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
        assertThat(pipeline.describe()).contains("lane domain: ", " claims (200 to 2000)", "events/s");
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

    @Test
    void a_lone_event_is_handled_in_the_step_after_it_was_published_whatever_the_sizes_are() {
        Pipeline pipeline = rig.pipelineOn(store)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        pipeline.publish(rig.events("order.paid", 10_000));
        while (rig.handled.size() < 10_000) {
            rig.time.advance(STEP);
            pipeline.step();
        }
        pipeline.drain();
        pipeline.publish(rig.events("order.alone", 1));
        pipeline.step();
        assertThat(rig.handled).hasSize(10_001);
    }

    @Test
    void another_node_gets_events_while_a_node_with_grown_sizes_is_busy() {
        QueuedExecutor busy = new QueuedExecutor();
        Pipeline grown = rig.pipelineOn(store)
                .node("grown")
                .executor(busy)
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        grown.publish(rig.events("order.paid", 10_000));
        while (rig.stats().claimed() < 1_000) {
            rig.time.advance(STEP);
            grown.step();
            busy.runAll();
        }
        int before = rig.handled.size();
        Pipeline idle = rig.pipelineOn(store)
                .node("idle")
                .on("*", event -> rig.handled.add(event.id()))
                .build();
        while (rig.stats().ready() > 0) {
            rig.time.advance(STEP);
            grown.step();
            idle.step();
        }
        assertThat(rig.handled.size() - before).as("by the idle node").isGreaterThan(5_000);
        assertThat(rig.handled).doesNotHaveDuplicates();
    }

    @Test
    void any_process_on_the_store_reads_the_sizes_of_a_node_and_the_reasons() {
        Pipeline pipeline = rig.pipelineOn(store)
                .node("shop-1")
                .on("order.*", event -> rig.handled.add(event.id()))
                .on("mail.*", event -> rig.handled.add(event.id()))
                .adaptiveLimit("mail.*", AdaptiveLimit.between(1, 64))
                .build();
        pipeline.publish(rig.events("order.paid", 10_000));
        while (rig.handled.size() < 9_000) {
            rig.time.advance(STEP);
            pipeline.step();
        }
        rig.time.advance(Member.BEAT);
        pipeline.step();

        Member node = Member.of(rig.store.notes()).get(0);

        assertThat(node.node()).isEqualTo("shop-1");
        assertThat(node.sizes())
                .extracting(ChosenSize::subject)
                .containsExactly("lane critical", "lane domain", "lane suspect", "handler mail.*");
        ChosenSize domain = node.sizes().get(1);
        assertThat(domain.size()).isBetween(200, 2_000);
        assertThat(domain.least()).isEqualTo(200);
        assertThat(domain.most()).isEqualTo(2_000);
        assertThat(domain.why()).contains("events/s", "one request asks for up to ");
        assertThat(node.sizes().get(3))
                .isEqualTo(new ChosenSize("handler mail.*", 4, "calls at once", 1, 64, "no window of calls has ended"));
        assertThat(pipeline.describe()).contains(node.sizes().get(3).describe());

        pipeline.close();
        assertThat(rig.store.notes().read()).noneMatch(note -> note.topic().equals(SizeNotes.TOPIC));
    }
}
