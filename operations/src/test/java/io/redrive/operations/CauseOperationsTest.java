package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.cause.CausePlace;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The life of a cause, with the pipelines whose versions decide about it. */
class CauseOperationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Operations operations = Operations.of(store, Operator.named("ann", Role.OPERATOR), time);

    @Test
    void a_resolved_cause_offers_its_canary_once_all_nodes_that_handle_its_events_have_the_fix() {
        Pipeline old = node("old", "2.3");
        String cause = deadLetter(old);
        operations.causes().resolve(cause, Optional.of(new ServiceVersion("2.4")));
        Pipeline unversioned = node("unversioned", "");
        unversioned.drain();

        assertThat(fix(cause)).isInstanceOfSatisfying(FixState.Pending.class, pending -> {
            assertThat(pending.older()).containsExactly(java.util.Map.entry("old", new ServiceVersion("2.3")));
            assertThat(pending.unknown()).containsExactly("unversioned");
        });

        old.close();
        unversioned.close();
        assertThat(fix(cause)).isEqualTo(new FixState.NoNode(List.of("order.paid")));

        node("new", "2.4.1").drain();
        Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .node("other")
                .on("mail.*", event -> {})
                .build()
                .drain();
        assertThat(fix(cause)).isInstanceOf(FixState.CanaryDue.class);
    }

    @Test
    void a_letter_of_a_fixed_node_makes_a_resolved_cause_regressed() {
        String cause = deadLetter(node("old", "2.3"));
        operations.causes().resolve(cause, Optional.of(new ServiceVersion("2.4")));
        time.advance(java.time.Duration.ofSeconds(1));
        assertThat(deadLetter(node("new", "2.4"))).isEqualTo(cause);

        CauseView view = operations.causes().find(cause).orElseThrow();
        assertThat(view.status()).isEqualTo(CauseStatus.REGRESSED);
        assertThat(view.letters()).isEqualTo(2);
        assertThat(operations.causes().fix(view)).isInstanceOf(FixState.NotApplicable.class);
    }

    @Test
    void causes_are_listed_by_state_and_owner_page_by_page() {
        Pipeline node = node("shop", "2.3");
        List<String> causes = new ArrayList<>();
        for (int i = 0; i < 230; i++) {
            causes.add(0, deadLetter(node, "order " + (char) ('a' + i % 26) + (char) ('a' + i / 26)));
        }
        String resolved = causes.get(150);
        operations.causes().resolve(resolved, Optional.empty());
        operations.causes().assign(causes.get(3), "ann");
        operations.causes().assign(causes.get(130), "ben");
        operations.causes().ignore(causes.get(200), Optional.empty(), OptionalLong.empty());

        assertThat(listed(CauseStatus.RESOLVED)).containsExactly(resolved);
        assertThat(listed(CauseStatus.IGNORED)).containsExactly(causes.get(200));
        assertThat(listed(CauseStatus.ASSIGNED)).containsExactly(causes.get(3), causes.get(130));
        assertThat(listed(new CauseFilter(Set.of(CauseStatus.values()), Optional.of("ben"))))
                .containsExactly(causes.get(130));
        List<String> open = new ArrayList<>(causes);
        open.removeAll(List.of(resolved, causes.get(3), causes.get(130), causes.get(200)));
        assertThat(listed(CauseStatus.OPEN)).isEqualTo(open);
        assertThat(listed(CauseFilter.ALL)).isEqualTo(causes);

        deadLetter(node, "order " + (char) ('a' + 79 % 26) + (char) ('a' + 79 / 26));
        assertThat(listed(CauseStatus.REGRESSED)).containsExactly(resolved);
    }

    private List<String> listed(CauseStatus state) {
        return listed(new CauseFilter(Set.of(state), Optional.empty()));
    }

    /** Returns the whole list, read in pages whose places pass through their text. */
    private List<String> listed(CauseFilter filter) {
        List<String> all = new ArrayList<>();
        CauseList part = operations.causes().list(filter, CausePlace.START, 70);
        while (true) {
            part.causes().forEach(view -> all.add(view.cause().fingerprint()));
            if (part.next().isEmpty()) {
                return all;
            }
            String place = part.next().get().text();
            part = operations.causes().list(filter, CausePlace.parse(place), 70);
        }
    }

    @Test
    void a_place_or_filter_that_cannot_be_used_says_why() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CausePlace.parse("yesterday~abc"))
                .withMessageContaining("must be the cursor of an earlier page");
        assertThatIllegalArgumentException().isThrownBy(() -> new CauseFilter(Set.of(), Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operations.causes().list(CauseFilter.ALL, CausePlace.START, 0))
                .withMessageContaining("limit must be between 1 and");
    }

    private FixState fix(String cause) {
        return operations.causes().fix(operations.causes().find(cause).orElseThrow());
    }

    private Pipeline node(String name, String version) {
        Pipeline.Builder builder = Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .node(name)
                .handle("order.*", event -> Outcome.dead(event.text().isEmpty() ? "no such customer" : event.text()));
        return (version.isEmpty() ? builder : builder.version(version)).build();
    }

    private String deadLetter(Pipeline node) {
        return deadLetter(node, "");
    }

    private String deadLetter(Pipeline node, String error) {
        time.advance(Duration.ofSeconds(1));
        store.publish(
                // A name whose events all die is paused: each error has a name of its own.
                List.of(Event.named(error.isEmpty() ? "order.paid" : error.replace(' ', '.'))
                        .source("shop")
                        .time(time)
                        .text(error)
                        .build()),
                time.now());
        node.drain();
        return operations.causes().latest(1).get(0).cause().fingerprint();
    }
}
