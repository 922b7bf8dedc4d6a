package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.CostLimit;
import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.Priority;
import io.redrive.events.PublishResult;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snippets of events.md and idempotency.md. */
final class EventsExamplesTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final List<String> handled = new ArrayList<>();
    private final Warehouse warehouse = new Warehouse();

    @TempDir
    private Path folder;

    /** A downstream whose calls fail while {@code down} is true. */
    private final class Warehouse {
        private boolean down;

        void ship(Event event) throws IOException {
            handled.add(event.name());
            if (down) {
                throw new IOException("warehouse is down");
            }
        }
    }

    private Pipeline.Builder stepped() {
        return Pipeline.on(store).executor(Runnable::run).time(time);
    }

    private Event.Builder paid() {
        return Event.named("order.paid")
                .source("shop")
                .correlationId("order-17")
                .time(time);
    }

    @Test
    void publishing_is_durable_single_bulk_delayed_and_with_a_deadline() {
        Path file = folder.resolve("orders.db");
        // snippet: events-publish
        try (EventStore store = SqliteStore.open(file);
                Pipeline pipeline =
                        Pipeline.on(store).on("order.*", warehouse::ship).start()) {

            PublishResult result = pipeline.publish(Event.named("order.paid")
                    .source("shop")
                    .correlationId("order-17")
                    .json("{\"order\": 17}")
                    .build());

            // A single transaction and a single sync to disk: by far the fastest way to publish many events.
            List<Event> reminders = List.of(
                    Event.named("order.remind")
                            .source("shop")
                            .correlationId("order-17")
                            .delay(Duration.ofDays(3))
                            .build(),
                    Event.named("order.confirm")
                            .source("shop")
                            .correlationId("order-17")
                            .priority(Priority.CRITICAL)
                            .deadline(Instant.now().plus(Duration.ofHours(1)))
                            .build());
            pipeline.publish(reminders);
            // end
            assertThat(result).isEqualTo(PublishResult.ACCEPTED);
            assertThat(store.stats(Instant.now()).delayed()).isEqualTo(1);
        }
    }

    @Test
    void a_handler_throws_or_says_what_became_of_the_event() {
        // snippet: events-handlers
        Pipeline.Builder pipeline = Pipeline.on(store)
                // An event is done when its handler returns. The policy for its name judges an exception.
                .on("order.*", event -> warehouse.ship(event))
                // The most specific pattern wins.
                .handle("order.cancelled", event -> {
                    if (event.text().isEmpty()) {
                        return Outcome.dead("an order number is needed");
                    }
                    return warehouse.down ? Outcome.snooze(Duration.ofMinutes(5)) : Outcome.done();
                })
                // Runs before any handler; an exception makes the event a dead letter with the reason invalid_event.
                .validate("order.*", event -> {
                    if (event.correlationId().isEmpty()) {
                        throw new IllegalArgumentException("orders need a correlation id");
                    }
                });
        // end
        Pipeline built = pipeline.executor(Runnable::run).time(time).build();
        built.publish(List.of(
                paid().build(),
                Event.named("order.cancelled")
                        .source("shop")
                        .correlationId("c")
                        .time(time)
                        .build(),
                Event.named("order.paid").source("shop").time(time).build()));
        built.drain();
        assertThat(handled).containsExactly("order.paid");
        assertThat(store.deadLetters().list(LetterFilter.ALL, 0, 10))
                .extracting(DeadLetter::reason)
                .containsExactlyInAnyOrder(Reason.NOT_RETRYABLE, Reason.INVALID_EVENT);
    }

    @Test
    void policies_are_chosen_by_name_and_replaced_while_running() {
        // snippet: event-policies
        RetryPolicy patient = Presets.EVENTS.toBuilder()
                .maxAttempts(5)
                .backoff(Backoff.linear(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMinutes(5)))
                .build();
        Pipeline pipeline = stepped()
                .on("*", warehouse::ship)
                .policies(EventPolicies.defaults().with("rate.limited.api.*", patient))
                .build();

        // At run time: the new policy holds from the next decision on.
        pipeline.policies(pipeline.policies().with("order.*", RetryPolicy.noRetry()));
        // end
        warehouse.down = true;
        pipeline.publish(List.of(
                paid().build(),
                Event.named("rate.limited.api.sync")
                        .source("shop")
                        .correlationId("c")
                        .time(time)
                        .build()));
        pipeline.drain();
        assertThat(store.stats(time.now()).dead()).isEqualTo(1);
        assertThat(store.stats(time.now()).delayed()).isEqualTo(1);
        assertThat(pipeline.policies().policyFor("rate.limited.api.sync")).isEqualTo(patient);
    }

    @Test
    void a_retry_budget_makes_retries_wait_and_not_die() {
        // snippet: event-budget
        Pipeline pipeline = stepped()
                .on("order.*", warehouse::ship)
                .budget("order.*", RetryBudget.of("warehouse"))
                .build();
        // end
        pipeline.publish(paid().build());
        pipeline.drain();
        assertThat(handled).hasSize(1);
    }

    @Test
    void a_cost_limit_makes_events_wait_in_the_store_without_an_attempt() {
        CostLimit tokens = CostLimit.of("tokens", 60_000, Duration.ofMinutes(1)).time(time);
        int estimate = 6_000;
        // snippet: event-cost-limit
        Pipeline pipeline = stepped()
                .handle("order.*", event -> {
                    Optional<CostLimit.Reservation> reserved = tokens.tryReserve(estimate);
                    if (reserved.isEmpty()) {
                        return Outcome.snooze(tokens.untilFree(estimate).plusMillis(100));
                    }
                    try (CostLimit.Reservation call = reserved.get()) {
                        warehouse.ship(event);
                        call.settle(12_000); // what the answer says that the call cost
                        tokens.observe(60_000, 50_000); // and what its x-ratelimit-* headers say
                    }
                    return Outcome.done();
                })
                .build();
        // end
        pipeline.publish(List.of(
                paid().id("1").build(), paid().id("2").build(), paid().id("3").build()));
        pipeline.drain();
        assertThat(handled).as("a tenth of the limit at once").hasSize(1);
        assertThat(store.stats(time.now()).delayed()).isEqualTo(2);
        for (int second = 0; second < 30; second++) {
            time.advance(Duration.ofSeconds(1));
            pipeline.drain();
        }
        assertThat(handled).hasSize(3);
        assertThat(tokens.total()).isEqualTo(36_000);
        assertThat(store.stats(time.now()).dead()).isZero();
    }

    @Test
    void events_of_one_key_wait_for_each_other_also_under_retry() {
        Pipeline pipeline = stepped().on("order.*", warehouse::ship).build();
        warehouse.down = true;
        // snippet: ordering-key
        pipeline.publish(List.of(
                paid().orderingKey("customer-1").build(),
                Event.named("order.sent")
                        .source("shop")
                        .orderingKey("customer-1")
                        .time(time)
                        .build(),
                Event.named("order.seen")
                        .source("shop")
                        .orderingKey("customer-2")
                        .time(time)
                        .build()));
        // end
        pipeline.drain();
        assertThat(handled).containsExactlyInAnyOrder("order.paid", "order.seen");
        warehouse.down = false;
        time.advance(Duration.ofSeconds(2));
        pipeline.drain();
        assertThat(handled).endsWith("order.sent").hasSize(5);
    }

    @Test
    void listeners_hear_of_every_dead_letter() {
        List<String> paged = new ArrayList<>();
        // snippet: events-listener
        Pipeline pipeline = stepped()
                .on("order.*", warehouse::ship)
                .policies(EventPolicies.defaults().with("order.*", RetryPolicy.noRetry()))
                .listener(new PipelineListener() {
                    @Override
                    public void onDead(Dead dead) {
                        paged.add(dead.event().name() + ": " + dead.reason() + ", cause " + dead.fingerprint());
                    }
                })
                .build();
        // end
        warehouse.down = true;
        pipeline.publish(paid().build());
        pipeline.drain();
        assertThat(paged).singleElement().asString().startsWith("order.paid: max_attempts_exceeded, cause ");
    }

    @Test
    void the_same_id_and_correlation_id_is_published_once() {
        Pipeline pipeline = stepped().on("order.*", warehouse::ship).build();
        // snippet: duplicate
        Event event = paid().id("payment-4711").build();

        PublishResult first = pipeline.publish(event);
        PublishResult again = pipeline.publish(event); // the client did not see the first answer
        // end
        assertThat(first).isEqualTo(PublishResult.ACCEPTED);
        assertThat(again).isEqualTo(PublishResult.DUPLICATE);
        pipeline.drain();
        assertThat(handled).hasSize(1);
    }

    /** A store of the application's own, with a unique key. */
    private static final class Ledger {
        private final List<String> keys = new ArrayList<>();
        private int booked;

        boolean insertKey(String key) {
            return !keys.contains(key) && keys.add(key);
        }

        void book(Event event) {
            booked++;
        }
    }

    @Test
    void a_handler_that_keeps_the_key_in_its_own_transaction_may_run_twice() throws Exception {
        Ledger ledger = new Ledger();
        // snippet: idempotent-handler
        Pipeline pipeline = stepped()
                .on("order.*", event -> {
                    // Both in the same transaction of the ledger's database.
                    if (ledger.insertKey(event.idempotencyKey())) {
                        ledger.book(event);
                    }
                    warehouse.ship(event);
                })
                .build();
        // end
        warehouse.down = true;
        pipeline.publish(paid().build());
        pipeline.drain();
        warehouse.down = false;
        time.advance(Duration.ofSeconds(2));
        pipeline.drain();
        assertThat(handled).hasSize(2);
        assertThat(ledger.booked).isEqualTo(1);
    }

    /** The table of budgets, from the code. */
    static String budgets() {
        return "| pattern | policy |\n|---|---|\n"
                + EventPolicies.defaults().all().entrySet().stream()
                        .map(entry -> "| `" + entry.getKey() + "` | " + entry.getValue() + " |")
                        .collect(Collectors.joining("\n"));
    }
}
