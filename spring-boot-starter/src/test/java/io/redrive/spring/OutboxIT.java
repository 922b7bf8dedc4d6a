package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresStore;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Publishing within transactions of the application's own PostgreSQL. */
final class OutboxIT {

    private final ApplicationContextRunner contexts = Contexts.bare()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    TransactionManagerCustomizationAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withPropertyValues(PostgresServer.properties());

    static class Orders {
        private final JdbcTemplate jdbc;
        private final EventBus bus;

        Orders(JdbcTemplate jdbc, EventBus bus) {
            this.jdbc = jdbc;
            this.bus = bus;
            jdbc.execute("DROP TABLE IF EXISTS orders");
            jdbc.execute("CREATE TABLE orders (id text PRIMARY KEY)");
        }

        @Transactional
        public Publication pay(String id, RuntimeException error) {
            jdbc.update("INSERT INTO orders VALUES (?)", id);
            Publication told = bus.publish(bus.event("order.paid", id).id(id).build());
            if (error != null) {
                throw error;
            }
            return told;
        }

        int count() {
            return jdbc.queryForObject("SELECT count(*) FROM orders", Integer.class);
        }
    }

    static final class Shipping {
        final Queue<String> shipped = new ConcurrentLinkedQueue<>();

        @OnEvent("order.*")
        void ship(String id) {
            shipped.add(id);
        }
    }

    private static long ready(ApplicationContext context) {
        return context.getBean(EventStore.class).stats(Time.system().now()).ready();
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Test
    void the_store_is_in_the_database_of_the_application() {
        contexts.run(context -> assertThat(context.getBean(EventStore.class)).isInstanceOf(PostgresStore.class));
    }

    @Test
    void an_order_and_its_event_are_committed_together_or_not_at_all() {
        contexts.withBean(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.pay("1", null)).isEqualTo(Publication.ACCEPTED);
            assertThat(ready(context)).isEqualTo(1);
            assertThatThrownBy(() -> orders.pay("2", new IllegalStateException("no stock")))
                    .hasMessage("no stock");
            assertThat(ready(context)).isEqualTo(1);
            assertThat(orders.count()).isEqualTo(1);
            // Also the key was rolled back: the second try is no duplicate.
            assertThat(orders.pay("2", null)).isEqualTo(Publication.ACCEPTED);
            assertThat(ready(context)).isEqualTo(2);
        });
    }

    @Test
    void an_event_is_handled_only_after_the_commit() {
        contexts.withBean(Shipping.class).run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            Queue<String> shipped = context.getBean(Shipping.class).shipped;
            transaction(context).executeWithoutResult(status -> {
                bus.publish("order.paid", "1");
                bus.publish("order.paid", "2");
                assertThat(ready(context)).isZero();
            });
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(shipped).containsExactlyInAnyOrder("1", "2"));
        });
    }

    @Test
    void a_duplicate_is_reported_within_the_transaction() {
        contexts.run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            Event event = bus.event("order.paid", "1").id("17").build();
            bus.publish(event);
            assertThat(transaction(context).<Publication>execute(status -> bus.publish(event)))
                    .isEqualTo(Publication.DUPLICATE);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void events_published_after_the_commit_are_stored(boolean autoCommit) {
        contexts.withPropertyValues("spring.datasource.hikari.auto-commit=" + autoCommit)
                .run(context -> {
                    EventBus bus = context.getBean(EventBus.class);
                    transaction(context)
                            .executeWithoutResult(status -> TransactionSynchronizationManager.registerSynchronization(
                                    new TransactionSynchronization() {
                                        @Override
                                        public void afterCommit() {
                                            assertThat(bus.publish("order.paid", "1"))
                                                    .isEqualTo(Publication.AFTER_COMMIT);
                                        }
                                    }));
                    assertThat(ready(context)).isEqualTo(1);
                });
    }

    @Test
    void in_a_transaction_of_another_database_events_are_published_after_its_commit() {
        contexts.withBean("other", CountingTransactions.class, () -> new CountingTransactions())
                .run(context -> {
                    EventBus bus = context.getBean(EventBus.class);
                    new TransactionTemplate(context.getBean(CountingTransactions.class))
                            .executeWithoutResult(status ->
                                    assertThat(bus.publish("order.paid", "1")).isEqualTo(Publication.AFTER_COMMIT));
                    assertThat(ready(context)).isEqualTo(1);
                });
    }
}
