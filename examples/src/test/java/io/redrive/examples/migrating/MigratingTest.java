package io.redrive.examples.migrating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.springframework.core.retry.RetryException;
import org.springframework.retry.support.RetryTemplate;

/** Checks the claims of the migration page about each library by running the library. */
final class MigratingTest {

    @Test
    void all_sides_do_the_same_with_a_failure_that_passes() throws Exception {
        assertThat(WithRedrive.charge(new Charge(1))).isEqualTo("receipt");
        assertThat(WithResilience4j.charge(new Charge(1))).isEqualTo("receipt");
        assertThat(WithFailsafe.charge(new Charge(1))).isEqualTo("receipt");
        assertThat(WithSpringRetry.charge(new Charge(1))).isEqualTo("receipt");
        assertThat(WithSpringFramework.charge(new Charge(1))).isEqualTo("receipt");
    }

    @Test
    void redrive_looks_into_the_causes() {
        Charge wrapped = wrapped();
        assertThat(catchThrowable(() -> WithRedrive.charge(wrapped))).isNull();
        assertThat(wrapped.calls()).isEqualTo(2);
    }

    @Test
    void resilience4j_and_failsafe_match_the_outer_exception_only() {
        Charge first = wrapped();
        assertThatThrownBy(() -> WithResilience4j.charge(first)).isInstanceOf(CompletionException.class);
        assertThat(first.calls()).isEqualTo(1);
        Charge second = wrapped();
        assertThatThrownBy(() -> WithFailsafe.charge(second)).isInstanceOf(CompletionException.class);
        assertThat(second.calls()).isEqualTo(1);
    }

    @Test
    void spring_retry_looks_into_the_causes_when_told_to() {
        Charge told = wrapped();
        assertThat(catchThrowable(() -> WithSpringRetry.charge(told))).isNull();
        assertThat(told.calls()).isEqualTo(2);
        Charge untold = wrapped();
        RetryTemplate template = RetryTemplate.builder()
                .maxAttempts(3)
                .noBackoff()
                .retryOn(IOException.class)
                .build();
        assertThatThrownBy(() -> template.execute(context -> untold.send())).isInstanceOf(CompletionException.class);
        assertThat(untold.calls()).isEqualTo(1);
    }

    @Test
    void spring_framework_looks_into_the_causes() {
        Charge wrapped = wrapped();
        assertThat(catchThrowable(() -> WithSpringFramework.charge(wrapped))).isNull();
        assertThat(wrapped.calls()).isEqualTo(2);
    }

    @Test
    void failsafe_and_spring_framework_wrap_what_was_thrown() {
        dev.failsafe.RetryPolicy<String> failsafe =
                dev.failsafe.RetryPolicy.<String>builder().withMaxAttempts(2).build();
        assertThatThrownBy(() -> Failsafe.with(failsafe).get(() -> new Charge(9).send()))
                .isInstanceOf(FailsafeException.class)
                .hasCauseInstanceOf(IOException.class);
        org.springframework.core.retry.RetryPolicy spring = org.springframework.core.retry.RetryPolicy.builder()
                .maxRetries(1)
                .delay(Duration.ZERO)
                .build();
        Charge charge = new Charge(9);
        assertThatThrownBy(() -> new org.springframework.core.retry.RetryTemplate(spring).execute(() -> charge.send()))
                .isInstanceOf(RetryException.class)
                .hasCauseInstanceOf(IOException.class);
        assertThat(charge.calls()).as("maxRetries does not count the first try").isEqualTo(2);
    }

    @Test
    void elsewhere_nested_retries_multiply() {
        Charge resilience4j = new Charge(99);
        Retry retry = Retry.of(
                "nested",
                RetryConfig.custom()
                        .maxAttempts(3)
                        .waitDuration(Duration.ofMillis(1))
                        .build());
        assertThat(catchThrowable(() -> retry.executeCallable(() -> retry.executeCallable(resilience4j::send))))
                .isNotNull();
        assertThat(resilience4j.calls()).isEqualTo(9);

        Charge failsafe = new Charge(99);
        dev.failsafe.RetryPolicy<String> policy = dev.failsafe.RetryPolicy.ofDefaults();
        assertThat(catchThrowable(() ->
                        Failsafe.with(policy).get(() -> Failsafe.with(policy).get(failsafe::send))))
                .isNotNull();
        assertThat(failsafe.calls()).isEqualTo(9);

        Charge spring = new Charge(99);
        RetryTemplate template =
                RetryTemplate.builder().maxAttempts(3).noBackoff().build();
        assertThat(catchThrowable(() -> template.execute(outer -> template.execute(inner -> spring.send()))))
                .isNotNull();
        assertThat(spring.calls()).isEqualTo(9);
    }

    private static Charge wrapped() {
        return new Charge(1, new CompletionException(new IOException("connection reset")));
    }
}
