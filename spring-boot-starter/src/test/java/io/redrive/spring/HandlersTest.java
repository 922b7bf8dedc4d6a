package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.pipeline.EventBatch;
import io.redrive.pipeline.EventContext;
import io.redrive.pipeline.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** Handler methods: all supported signatures, and wrong ones. */
final class HandlersTest {

    private final ApplicationContextRunner contexts = Contexts.inMemory();

    record OrderPaid(String order, int total) {}

    static final class Handlers {
        final Queue<Object> got = new ConcurrentLinkedQueue<>();

        @OnEvent("order.paid")
        void paid(OrderPaid order) {
            got.add(order);
        }

        @OnEvent({"order.sent", "order.packed"})
        void both(Event event, OrderPaid order) {
            got.add(event.name() + " " + order.order());
        }

        @OnEvent("text.*")
        Outcome text(String text) {
            got.add(text);
            return text.equals("bad") ? Outcome.dead("said so") : Outcome.done();
        }

        @OnEvent("attempt.*")
        void attempt(EventContext context, String text) {
            got.add(text + " " + context.attempt());
        }

        @OnEvent("nothing.*")
        Outcome nothing(String text) {
            return null;
        }

        @OnEvent("${bytes.pattern:bytes.*}")
        void bytes(byte[] bytes) {
            got.add(bytes.length);
        }

        @OnEvent("bulk.payloads")
        void payloads(List<OrderPaid> orders, List<Event> events) {
            for (int i = 0; i < orders.size(); i++) {
                got.add(events.get(i).id() + "=" + orders.get(i).order());
            }
        }

        @OnEvent("bulk.batch")
        void batch(EventBatch batch) {
            batch.events().forEach(event -> batch.dead(event, "all of them"));
        }
    }

    private static void until(Runnable assertion) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion::run);
    }

    private static List<Reason> reasons(ApplicationContext context) {
        List<Reason> reasons = new ArrayList<>();
        context.getBean(EventStore.class)
                .deadLetters()
                .list(LetterFilter.ALL, 0, 100)
                .forEach(letter -> reasons.add(letter.reason()));
        return reasons;
    }

    @Test
    void payloads_and_events_arrive_in_the_types_of_the_parameters() {
        contexts.withBean(Handlers.class).run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            Handlers handlers = context.getBean(Handlers.class);
            assertThat(bus.publish("order.paid", new OrderPaid("17", 12))).isEqualTo(Publication.ACCEPTED);
            bus.publish("order.sent", new OrderPaid("18", 0));
            bus.publish("text.note", "hello");
            bus.publish("bytes.raw", new byte[] {1, 2, 3});
            bus.publish("attempt.first", "which?");
            until(() -> assertThat(handlers.got)
                    .containsExactlyInAnyOrder(new OrderPaid("17", 12), "order.sent 18", "hello", 3, "which? 1"));
        });
    }

    @Test
    void the_source_of_events_is_the_name_of_the_application() {
        contexts.withBean(Handlers.class).run(context -> {
            Event event = context.getBean(EventBus.class)
                    .event("order.paid", new OrderPaid("17", 12))
                    .build();
            assertThat(event.source()).isEqualTo("orders");
            assertThat(event.contentType()).isEqualTo("application/json");
            assertThat(event.text()).isEqualTo("{\"order\":\"17\",\"total\":12}");
        });
    }

    @Test
    void a_null_outcome_is_a_failed_attempt() {
        contexts.withBean(Handlers.class).run(context -> {
            context.getBean(EventBus.class).publish("nothing.said", "x");
            until(() -> assertThat(reasons(context)).containsExactly(Reason.MAX_ATTEMPTS_EXCEEDED));
        });
    }

    @Test
    void a_returned_outcome_settles_the_event() {
        contexts.withBean(Handlers.class).run(context -> {
            context.getBean(EventBus.class).publish("text.note", "bad");
            until(() -> assertThat(reasons(context)).containsExactly(Reason.NOT_RETRYABLE));
        });
    }

    @Test
    void an_unreadable_payload_makes_only_its_own_event_invalid() {
        contexts.withBean(Handlers.class).run(context -> {
            EventBus bus = context.getBean(EventBus.class);
            bus.publish("order.paid", "no JSON");
            until(() -> assertThat(reasons(context)).containsExactly(Reason.INVALID_EVENT));
            List<Event> bulk = new ArrayList<>();
            for (String id : List.of("1", "2", "3")) {
                bulk.add(bus.event("bulk.payloads", id.equals("2") ? "bad" : new OrderPaid("o" + id, 0))
                        .id(id)
                        .build());
            }
            bus.publish(bulk);
            until(() -> {
                assertThat(context.getBean(Handlers.class).got).containsExactlyInAnyOrder("1=o1", "3=o3");
                assertThat(reasons(context)).containsExactly(Reason.INVALID_EVENT, Reason.INVALID_EVENT);
            });
        });
    }

    @Test
    void a_batch_handler_reports_outcomes_per_event() {
        contexts.withBean(Handlers.class).run(context -> {
            context.getBean(EventBus.class).publish("bulk.batch", "x");
            until(() -> assertThat(reasons(context)).containsExactly(Reason.NOT_RETRYABLE));
        });
    }

    @Test
    void placeholders_in_patterns_are_resolved() {
        contexts.withBean(Handlers.class)
                .withPropertyValues("bytes.pattern=blob.*")
                .run(context -> {
                    context.getBean(EventBus.class).publish("blob.raw", new byte[] {1});
                    until(() -> assertThat(context.getBean(Handlers.class).got).containsExactly(1));
                });
    }

    // ---- Mistakes ----

    static final class TakesNothing {
        @OnEvent("a")
        void handle() {}
    }

    static final class OnlyContext {
        @OnEvent("a")
        void handle(EventContext context) {}
    }

    static final class Mixes {
        @OnEvent("a")
        void handle(Event event, EventBatch batch) {}
    }

    static final class Private {
        @OnEvent("a")
        private void handle(Event event) {}
    }

    static final class TwoPayloads {
        @OnEvent("a")
        void handle(OrderPaid one, OrderPaid two) {}
    }

    static final class ReturnsFuture {
        @OnEvent("a")
        CompletableFuture<Void> handle(Event event) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static final class BatchReturns {
        @OnEvent("a")
        Outcome handle(List<OrderPaid> orders) {
            return Outcome.done();
        }
    }

    static final class Again {
        @OnEvent("order.paid")
        void handle(Event event) {}
    }

    private void refused(Class<?> handler, String... parts) {
        contexts.withBean(handler)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .message()
                        .contains(parts));
    }

    @Test
    void wrong_signatures_stop_the_start() {
        String rule = "must take a payload, an Event, or both, and optionally an EventContext; or, for batches, a List"
                + " of payloads, a List<Event>, an EventBatch, or several of these";
        refused(TakesNothing.class, "@OnEvent method TakesNothing.handle", rule, "it has no parameters");
        refused(OnlyContext.class, "OnlyContext.handle", rule, "it has only an EventContext");
        refused(Mixes.class, "Mixes.handle", rule, "it mixes parameters of single events and of batches");
        refused(TwoPayloads.class, "TwoPayloads.handle", rule, "two parameters are of the same kind");
        refused(Private.class, "@OnEvent method Private.handle must not be private");
        refused(ReturnsFuture.class, "must return void or an Outcome; it returns CompletableFuture");
        refused(BatchReturns.class, "must return void; report outcomes to the EventBatch; it returns Outcome");
    }

    @Test
    void two_handlers_for_one_pattern_are_refused() {
        contexts.withBean(Handlers.class)
                .withBean(Again.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .message()
                        .contains("two @OnEvent methods for 'order.paid'", "Again.handle", "Handlers.paid"));
    }

    @Test
    void without_jackson_text_and_bytes_work_and_the_rest_is_refused_with_a_remedy() {
        ApplicationContextRunner without = contexts.withClassLoader(new FilteredClassLoader(JsonMapper.class));
        without.withBean(TextOnly.class).run(context -> {
            context.getBean(EventBus.class).publish("text.note", "hello");
            until(() -> assertThat(context.getBean(TextOnly.class).got).containsExactly("hello"));
        });
        without.withBean(Handlers.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .message()
                        .contains("cannot be given its payload", "add spring-boot-starter-jackson", "OrderPaid"));
    }

    static final class TextOnly {
        final Queue<String> got = new ConcurrentLinkedQueue<>();

        @OnEvent("text.*")
        void text(String text) {
            got.add(text);
        }
    }
}
