package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Publishing within transactions that the store has no part in. */
final class EventBusTransactionTest {

    private final ApplicationContextRunner contexts =
            Contexts.inMemory().withBean("transactions", CountingTransactions.class);

    private static StoreStats stats(ApplicationContext context) {
        return context.getBean(EventStore.class).stats(Time.system().now());
    }

    @Test
    void events_leave_after_the_commit() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            new TransactionTemplate(context.getBean(CountingTransactions.class)).executeWithoutResult(status -> {
                assertThat(bus.publish("order.paid", "1")).isEqualTo(Publication.AFTER_COMMIT);
                assertThat(bus.publish(List.of(
                                bus.event("order.paid", "2").build(),
                                bus.event("order.paid", "3").build())))
                        .containsExactly(Publication.AFTER_COMMIT, Publication.AFTER_COMMIT);
                assertThat(stats(context).ready()).isZero();
            });
            assertThat(stats(context).ready()).isEqualTo(3);
        });
    }

    @Test
    void nothing_leaves_a_transaction_that_rolls_back() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            TransactionTemplate transaction = new TransactionTemplate(context.getBean(CountingTransactions.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        bus.publish("order.paid", "1");
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            assertThat(stats(context).ready()).isZero();
            transaction.executeWithoutResult(status -> bus.publish("order.paid", "2"));
            assertThat(stats(context).ready()).isEqualTo(1);
        });
    }

    @Test
    void without_a_transaction_the_caller_is_told_of_duplicates() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            Event event =
                    bus.event("order.paid", "1").id("17").correlationId("c").build();
            assertThat(bus.publish(event)).isEqualTo(Publication.ACCEPTED);
            assertThat(bus.publish(event)).isEqualTo(Publication.DUPLICATE);
        });
    }
}
