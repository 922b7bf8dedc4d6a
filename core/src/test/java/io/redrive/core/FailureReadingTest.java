package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods of an exception are user code: reading a failure never throws, is bounded, and happens once. */
class FailureReadingTest {

    static Stream<Supplier<Throwable>> everythingThrown() {
        return Stream.of(
                () -> new IllegalStateException("broken getter"),
                () -> new IOException("checked, thrown sneakily"),
                StackOverflowError::new,
                () -> new OutOfMemoryError("of the exception"),
                () -> new NoClassDefFoundError("gone"),
                () -> new InterruptedException("in a getter"),
                () -> HostileException.throwing(IllegalStateException::new));
    }

    @ParameterizedTest
    @MethodSource("everythingThrown")
    void an_exception_whose_methods_throw_is_read_by_its_class(Supplier<Throwable> thrown) {
        HostileException hostile = HostileException.throwing(thrown);
        for (Throwable error : new Throwable[] {hostile, new CompletionException("outside", hostile)}) {
            Failure failure = Failure.thrown(error);
            assertThat(failure.type()).isEqualTo("HostileException");
            assertThat(failure.message())
                    .isEqualTo("io.redrive.core.HostileException (reading its message threw "
                            + thrown.get().getClass().getName() + ")");
            assertThat(failure.hint()).isEmpty();
            assertThat(failure).hasToString("Thrown[" + failure.message() + "]");
            assertThat(failure).isEqualTo(Failure.thrown(error)).hasSameHashCodeAs(Failure.thrown(error));
        }
    }

    @Test
    void an_exception_whose_methods_return_null_is_read_by_its_class() {
        Failure failure = Failure.thrown(HostileException.ofNulls());
        assertThat(failure.type()).isEqualTo("http_-1");
        assertThat(failure.message()).isEqualTo("io.redrive.core.HostileException");
        assertThat(failure.hint()).isEmpty();
    }

    @Test
    void an_exception_is_read_once() {
        HostileException hostile = HostileException.throwing(IllegalStateException::new);
        Failure failure = Failure.thrown(hostile);
        int afterReading = hostile.asked;
        failure.type();
        failure.message();
        failure.hint();
        Presets.EVENTS.decideSafely(Attempt.first(failure, Seeds.random(1)));
        assertThat(hostile.asked).isEqualTo(afterReading);
    }

    @Test
    void an_enormous_message_and_kind_are_cut_between_characters() {
        String enormous = "😀".repeat(500_000);
        Failure failure = Failure.thrown(new IOException(enormous));
        assertThat(failure.message())
                .hasSizeLessThanOrEqualTo(Failure.MAX_MESSAGE)
                .endsWith("😀…");
        Failure kind = Failure.thrown(new Named(enormous));
        assertThat(kind.type()).hasSizeLessThanOrEqualTo(Failure.MAX_TYPE).endsWith("😀…");
        assertThat(Failure.kind(enormous).type()).hasSizeLessThanOrEqualTo(Failure.MAX_TYPE);
        assertThat(Failure.kind(enormous).message()).hasSizeLessThanOrEqualTo(Failure.MAX_MESSAGE);
        assertThat(Failure.result(enormous).message()).hasSizeLessThanOrEqualTo(Failure.MAX_MESSAGE);
    }

    @Test
    void an_exception_without_a_kind_is_typed_by_its_class() {
        assertThat(Failure.thrown(new Named(null)).type()).isEqualTo("Named");
        assertThat(Failure.thrown(new Named(" ")).type()).isEqualTo("Named");
    }

    @Test
    void the_status_of_a_cause_counts_for_the_decision_and_is_not_the_type() {
        Failure failure = Failure.thrown(new IllegalStateException("no answer", new HttpStatusException(503, "later")));
        assertThat(failure.type()).isEqualTo("IllegalStateException");
        assertThat(Presets.STAGE.decideSafely(Attempt.first(failure, Seeds.random(1))))
                .isInstanceOf(Decision.RetryAfter.class);
    }

    @Test
    void a_circle_of_causes_ends_where_it_closes() {
        ExecutionException inner = new Wrapper("inner");
        CompletionException outer = new CompletionException("outer", inner);
        inner.initCause(outer);
        assertThat(CauseChain.of(outer)).containsExactly(outer, inner);
        assertThat(Failure.thrown(outer).message()).isEqualTo(inner.toString());
        assertThat(Presets.EVENTS.decideSafely(Attempt.first(Failure.thrown(outer), Seeds.random(1))))
                .isInstanceOf(Decision.RetryAfter.class);
    }

    @Test
    void a_chain_that_makes_causes_for_ever_ends_at_its_limit() {
        assertThat(CauseChain.of(new Endless())).hasSize(CauseChain.MAX_DEPTH);
        assertThat(Failure.thrown(new Endless()).type()).isEqualTo("Endless");
    }

    @Test
    void a_result_whose_methods_throw_is_shown_by_its_class() {
        Failure failure = Failure.result(HostileException.throwing(StackOverflowError::new));
        assertThat(failure.message()).isEqualTo("result of io.redrive.core.HostileException was not accepted");
        assertThat(failure.hint()).isEmpty();
    }

    private static final class Named extends RuntimeException implements HasKind {
        private static final long serialVersionUID = 1L;
        private final String kind;

        private Named(String kind) {
            this.kind = kind;
        }

        @Override
        public String kind() {
            return kind;
        }
    }

    private static final class Wrapper extends ExecutionException {
        private static final long serialVersionUID = 1L;

        private Wrapper(String message) {
            super(message);
        }
    }

    private static final class Endless extends RuntimeException implements HasRetryAfter {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            return new Endless();
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.of(Duration.ofSeconds(1));
        }
    }
}
