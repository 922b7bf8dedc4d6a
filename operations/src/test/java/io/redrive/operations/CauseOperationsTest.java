package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.cause.CauseStatus;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;
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

    private FixState fix(String cause) {
        return operations.causes().fix(operations.causes().find(cause).orElseThrow());
    }

    private Pipeline node(String name, String version) {
        Pipeline.Builder builder = Pipeline.on(store)
                .executor(Runnable::run)
                .time(time)
                .node(name)
                .handle("order.*", event -> Outcome.dead("no such customer"));
        return (version.isEmpty() ? builder : builder.version(version)).build();
    }

    private String deadLetter(Pipeline node) {
        store.publish(
                List.of(Event.named("order.paid").source("shop").time(time).build()), time.now());
        node.drain();
        return operations.causes().latest(1).get(0).cause().fingerprint();
    }
}
