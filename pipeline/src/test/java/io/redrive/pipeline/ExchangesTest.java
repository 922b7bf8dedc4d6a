package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.ClaimRequest;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A pipeline with slow exchanges, without threads: claims of four, batches of two. */
class ExchangesTest {

    private static final Profile SMALL = new Profile(
            Duration.ofSeconds(1),
            4,
            12,
            0,
            1,
            new BatcherSettings(1, 2, Duration.ofSeconds(2)),
            new BatcherSettings(6, 2, Duration.ofSeconds(2)),
            Duration.ofSeconds(25),
            Duration.ofSeconds(20),
            3);

    private final Rig rig = new Rig();
    private final QueuedExecutor exchanges = new QueuedExecutor();
    private final QueuedExecutor handlers = new QueuedExecutor();
    private final List<List<Settlement>> settled = new ArrayList<>();
    private final Map<Integer, Runnable> whenHandled = new HashMap<>();
    private boolean down;
    private int exchangesBesideOthers = 1;

    private final HookedStore store = new HookedStore(rig.store) {
        @Override
        public Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests, Instant now) {
            if (down) {
                throw new IllegalStateException("down");
            }
            settled.add(settlements);
            return super.exchange(settlements, requests, now);
        }

        @Override
        public int exchangesAtOnce(int nodes) {
            return nodes == 1 ? 2 : exchangesBesideOthers;
        }
    };
    private final Pipeline pipeline = rig.pipelineOn(store)
            .profile(SMALL)
            .executor(handlers)
            .exchangeExecutor(exchanges)
            .on("*", event -> {
                whenHandled.getOrDefault(rig.handled.size(), () -> {}).run();
                rig.handled.add(event.name());
            })
            .build();

    /** Fills the pipeline: three claims, twelve events that one task will handle. */
    private void fill() {
        pipeline.publish(rig.events("order.paid", 12));
        for (int i = 0; i < 5; i++) {
            pipeline.step();
            exchanges.runAll();
        }
        assertThat(rig.stats().claimed()).isEqualTo(SMALL.capacity(Lane.DOMAIN)).isEqualTo(12);
        assertThat(handlers.waiting).hasSize(1);
        settled.clear();
    }

    /** Steps once {@code events} have been handled, and checks before the next event begins. */
    private void whenHandled(int events, Runnable check) {
        whenHandled.put(events, () -> {
            pipeline.step();
            check.run();
        });
    }

    private void handleAll() {
        handlers.runNext();
        assertThat(rig.heard.retries).as("no check has failed").isEmpty();
        pipeline.step();
    }

    private List<Long> leasesSettled(int exchange) {
        return settled.get(exchange).stream()
                .map(settlement -> settlement.claim().token())
                .distinct()
                .toList();
    }

    @Test
    void a_second_exchange_begins_beside_the_first_once_a_whole_claim_can_be_settled() {
        fill();
        List<Integer> underWay = new ArrayList<>();
        for (int handled : List.of(4, 6, 8)) {
            whenHandled(handled, () -> underWay.add(exchanges.waiting.size()));
        }
        handleAll();
        assertThat(underWay).as("half a claim waits").containsExactly(1, 1, 2);
        assertThat(exchanges.waiting).as("two at most").hasSize(2);
        exchanges.runAll();
        pipeline.step();
        exchanges.runAll();
        pipeline.step();
        assertThat(settled).hasSize(3).allSatisfy(each -> assertThat(each).hasSize(4));
        assertThat(rig.heard.done).hasSize(12);
        assertThat(rig.stats().claimed()).isZero();
    }

    @Test
    void beside_another_node_no_second_exchange_begins_on_a_store_that_allows_one() {
        startNodes("node-2");
        assertThat(exchangesBesideEachOther()).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            exchanges.runAll();
            pipeline.step();
        }
        assertThat(rig.heard.done).hasSize(12);
    }

    @Test
    void beside_other_nodes_a_second_exchange_begins_on_a_store_that_allows_two() {
        exchangesBesideOthers = 2;
        startNodes("node-2", "node-3");
        assertThat(exchangesBesideEachOther()).isEqualTo(2);
    }

    private void startNodes(String... nodes) {
        for (String node : nodes) {
            rig.pipeline().node(node).build().step();
        }
    }

    /** Returns how many exchanges are under way when a second claim has been handled while the first is being settled. */
    private int exchangesBesideEachOther() {
        fill();
        List<Integer> underWay = new ArrayList<>();
        whenHandled(4, () -> {});
        whenHandled(8, () -> underWay.add(exchanges.waiting.size()));
        handleAll();
        return underWay.get(0);
    }

    @Test
    void claims_of_a_lease_wait_while_other_claims_of_it_are_being_settled() {
        fill();
        whenHandled(2, () -> {});
        whenHandled(8, exchanges::runAll);
        handleAll();
        assertThat(settled).hasSize(2);
        assertThat(leasesSettled(1)).hasSize(1).doesNotContainAnyElementsOf(leasesSettled(0));
        pipeline.step();
        exchanges.runAll();
        assertThat(leasesSettled(2)).containsAll(leasesSettled(0));
    }

    @Test
    void an_event_published_while_an_exchange_finds_none_is_claimed_before_the_poll() {
        pipeline.step();
        exchanges.runAll();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.step();
        exchanges.runAll();
        pipeline.step();
        assertThat(handlers.waiting).hasSize(1);
    }

    @Test
    void settlements_of_a_failed_exchange_go_with_the_next() {
        fill();
        whenHandled(4, () -> {
            down = true;
            exchanges.runAll();
        });
        handlers.runNext();
        assertThatThrownBy(pipeline::step).hasMessage("down");
        assertThat(rig.heard.done).isEmpty();
        down = false;
        pipeline.step();
        exchanges.runAll();
        pipeline.step();
        assertThat(rig.heard.done).hasSize(12);
    }

    @Test
    void claims_of_one_exchange_are_taken_although_another_failed() {
        fill();
        whenHandled(4, () -> {});
        whenHandled(8, () -> {
            exchanges.runNext();
            down = true;
            exchanges.runNext();
        });
        handlers.runNext();
        assertThatThrownBy(pipeline::step).hasMessage("down");
        assertThat(rig.heard.done).hasSize(4);
    }
}
