package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Publishing within transactions of another database than the store's. */
final class EventBusTransactionTest {

    private final ApplicationContextRunner contexts =
            Contexts.inMemory().withBean("transactions", CountingTransactions.class);

    private static StoreStats stats(ApplicationContext context) {
        return context.getBean(EventStore.class).stats(Time.system().now());
    }

    @Test
    void events_are_published_after_the_commit() {
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
    void a_rollback_publishes_no_event() {
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
    void without_a_transaction_duplicates_are_reported_to_the_caller() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            Event event =
                    bus.event("order.paid", "1").id("17").correlationId("c").build();
            assertThat(bus.publish(event)).isEqualTo(Publication.ACCEPTED);
            assertThat(bus.publish(event)).isEqualTo(Publication.DUPLICATE);
        });
    }

    @Test
    void a_rollback_to_a_savepoint_discards_later_events() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            CountingTransactions transactions = context.getBean(CountingTransactions.class);
            TransactionTemplate nested = new TransactionTemplate(transactions);
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            new TransactionTemplate(transactions).executeWithoutResult(status -> {
                nested.executeWithoutResult(inner -> {
                    bus.publish("order.paid", "before any other");
                    inner.setRollbackOnly();
                });
                bus.publish("order.paid", "1");
                nested.executeWithoutResult(inner -> {
                    bus.publish("order.paid", "2");
                    inner.setRollbackOnly();
                });
                nested.executeWithoutResult(inner -> bus.publish("order.paid", "3"));
            });
            assertThat(stats(context).ready()).isEqualTo(2);
        });
    }

    @Test
    void more_deferred_events_than_a_store_takes_at_once_are_published_in_parts() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            Event event = bus.event("order.paid", "1").build();
            List<Event> many = new ArrayList<>();
            for (int i = 0; i <= EventStore.MAX_PUBLISH; i++) {
                many.add(event.toBuilder().id("e" + i).build());
            }
            new TransactionTemplate(context.getBean(CountingTransactions.class))
                    .executeWithoutResult(status -> many.forEach(bus::publish));
            assertThat(stats(context).ready()).isEqualTo(many.size());
        });
    }

    @Test
    void events_published_by_other_synchronizations_after_the_commit_are_published() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            new TransactionTemplate(context.getBean(CountingTransactions.class))
                    .executeWithoutResult(status ->
                            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                                @Override
                                public void afterCommit() {
                                    bus.publish("order.paid", "late");
                                }
                            }));
            assertThat(stats(context).ready()).isEqualTo(1);
        });
    }
}
