package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.CircuitOpenException;
import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

final class RetryWithTest {

    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner contexts = Contexts.inMemory()
            .withBean(Time.class, () -> time)
            .withPropertyValues(
                    "redrive.policies.payments.max-attempts=3",
                    "redrive.policies.payments.backoff=fixed",
                    "redrive.policies.payments.initial-delay=1s",
                    "redrive.policies.payments.jitter=none",
                    "redrive.policies.payments.do-not-retry-on=java.lang.IllegalArgumentException",
                    "redrive.breakers.bank.failure-count=1",
                    "redrive.budgets.bank.reserve=1",
                    "redrive.budgets.bank.share=0");

    static class Payments {
        final AtomicInteger calls = new AtomicInteger();
        int failures;
        Exception error = new IOException("down");

        @RetryWith("payments")
        public String charge(String order) throws Exception {
            return attempt(order);
        }

        @RetryWith(value = "payments", breaker = "bank")
        public String guarded(String order) throws Exception {
            return attempt(order);
        }

        @RetryWith(value = "payments", budget = "bank")
        public String thrifty(String order) throws Exception {
            return attempt(order);
        }

        @RetryWith(value = "payments", timeout = "1s")
        public String limited(ManualTime time) throws TimeoutException {
            calls.incrementAndGet();
            time.advance(Duration.ofSeconds(2));
            return "too late";
        }

        @RetryWith("payments")
        public CompletionStage<String> later(String order) {
            try {
                return CompletableFuture.completedFuture(attempt(order));
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        public String plain(String order) throws Exception {
            return attempt(order);
        }

        private String attempt(String order) throws Exception {
            if (calls.incrementAndGet() <= failures) {
                throw error;
            }
            return "receipt for " + order;
        }
    }

    @Test
    void a_method_is_called_until_it_succeeds() {
        contexts.withBean(Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            target(payments).failures = 2;
            assertThat(payments.charge("17")).isEqualTo("receipt for 17");
            assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
        });
    }

    @Test
    void the_caller_gets_the_original_exception() {
        contexts.withBean(Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            target(payments).failures = 9;
            assertThatThrownBy(() -> payments.charge("17")).isSameAs(target(payments).error);
            assertThat(target(payments).calls).hasValue(3);
            target(payments).error = new IllegalArgumentException("no such order");
            assertThatThrownBy(() -> payments.charge("17")).hasMessage("no such order");
            assertThat(target(payments).calls).hasValue(4);
        });
    }

    @Test
    void methods_without_the_annotation_are_not_retried() {
        contexts.withBean(Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            target(payments).failures = 1;
            assertThatThrownBy(() -> payments.plain("17")).isInstanceOf(IOException.class);
        });
    }

    @Test
    void breakers_budgets_and_time_limits_are_found_by_name() {
        contexts.withBean(Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            target(payments).failures = 3;
            assertThatThrownBy(() -> payments.guarded("17")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> payments.guarded("17")).isInstanceOf(CircuitOpenException.class);
            assertThat(context.getBean(RedriveSettings.class).breaker("bank").state())
                    .isEqualTo(CircuitBreaker.State.OPEN);
            target(payments).calls.set(0);
            target(payments).failures = 9;
            assertThatThrownBy(() -> payments.thrifty("17")).isInstanceOf(IOException.class);
            assertThat(target(payments).calls).hasValue(2);
            assertThatThrownBy(() -> payments.limited(time)).isInstanceOf(AttemptTimeoutException.class);
        });
    }

    @Test
    void a_stage_is_retried_without_holding_a_thread() {
        contexts.withBean(Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            target(payments).failures = 2;
            CompletableFuture<String> receipt = payments.later("17").toCompletableFuture();
            assertThat(receipt).isNotDone();
            while (!receipt.isDone()) {
                time.advanceToNext();
            }
            assertThat(receipt).isCompletedWithValue("receipt for 17");
        });
    }

    @Test
    void a_policy_can_change_while_the_application_runs() {
        contexts.withBean(Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            target(payments).failures = 99;
            RedriveSettings settings = context.getBean(RedriveSettings.class);
            Map<String, Object> changed = new HashMap<>(Map.of("redrive.policies.payments.max-attempts", "5"));
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
            settings.rebind();
            assertThatThrownBy(() -> payments.charge("17")).isInstanceOf(IOException.class);
            assertThat(target(payments).calls).hasValue(5);
            changed.put("redrive.policies.payments.max-attempts", "none");
            assertThatThrownBy(settings::rebind).hasStackTraceContaining("redrive.policies.payments.max-attempts");
            assertThat(settings.policy("payments").maxAttempts()).isEqualTo(5);
        });
    }

    // ---- Around other annotations ----

    static class Booking {
        final List<String> told = new ArrayList<>();
        int calls;

        @Transactional
        @RetryWith("payments")
        public void book() throws IOException {
            told.add(TransactionSynchronizationManager.isActualTransactionActive() ? "in transaction" : "outside");
            if (++calls < 3) {
                throw new IOException("conflict");
            }
        }

        @Async
        @RetryWith("payments")
        public CompletableFuture<String> later() throws IOException {
            told.add(Thread.currentThread().getName());
            if (++calls < 3) {
                throw new IOException("conflict");
            }
            return CompletableFuture.completedFuture("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableAsync
    static class Around {
        @Bean
        CountingTransactions transactions() {
            return new CountingTransactions();
        }

        @Bean
        Executor taskExecutor() {
            return task -> {
                Thread thread = new Thread(task, "async");
                thread.start();
            };
        }
    }

    @Test
    void each_attempt_has_a_transaction_of_its_own() {
        contexts.withUserConfiguration(Around.class).withBean(Booking.class).run(context -> {
            context.getBean(Booking.class).book();
            assertThat(context.getBean(CountingTransactions.class).begun).isEqualTo(3);
            assertThat(context.getBean(CountingTransactions.class).committed).isEqualTo(3);
            assertThat(target(context.getBean(Booking.class)).told)
                    .containsExactly("in transaction", "in transaction", "in transaction");
        });
    }

    @Test
    void an_asynchronous_method_is_retried_in_its_executor() {
        contexts.withUserConfiguration(Around.class).withBean(Booking.class).run(context -> {
            Booking booking = context.getBean(Booking.class);
            CompletableFuture<String> done = booking.later();
            while (!done.isDone()) {
                time.advanceToNext();
            }
            assertThat(done).isCompletedWithValue("done");
            assertThat(target(booking).told.get(0)).isEqualTo("async");
        });
    }

    @RetryWith("payments")
    static class AllOfIt {
        final AtomicInteger calls = new AtomicInteger();

        public int one() throws IOException {
            if (calls.incrementAndGet() < 3) {
                throw new IOException("down");
            }
            return 1;
        }
    }

    @Test
    void a_class_can_be_annotated_as_a_whole() {
        contexts.withBean(AllOfIt.class)
                .run(context -> assertThat(context.getBean(AllOfIt.class).one()).isEqualTo(1));
    }

    // ---- Mistakes ----

    static class UnknownPolicy {
        @RetryWith("paymnets")
        public void call() {}
    }

    static class Limited {
        @RetryWith(value = "payments", timeout = "1s")
        public void call() {}
    }

    static class Reactive {
        @RetryWith("payments")
        public Publisher<String> call() {
            return subscriber -> {};
        }
    }

    static class OwnFuture {
        @RetryWith("payments")
        public Own call() {
            return new Own();
        }

        static final class Own extends CompletableFuture<String> {}
    }

    private void refused(Class<?> bean, String message) {
        contexts.withBean(bean)
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
    }

    @Test
    void wrong_annotations_stop_the_start() {
        refused(
                UnknownPolicy.class,
                "@RetryWith method UnknownPolicy.call cannot be retried: no policy 'paymnets' (known: actor, connection,"
                        + " events, payments, stage, visibility, webhook); set redrive.policies.paymnets.*");
        refused(Limited.class, "@RetryWith method Limited.call has a timeout and must declare throws TimeoutException");
        refused(Reactive.class, "returns a reactive type");
        refused(OwnFuture.class, "returns Own; the only asynchronous return types");
    }

    @SuppressWarnings("unchecked")
    private static <T> T target(T proxy) {
        return (T) AopTestUtils.getUltimateTargetObject(proxy);
    }
}
