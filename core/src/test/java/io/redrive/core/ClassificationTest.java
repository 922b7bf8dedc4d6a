package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The matrix of rules and failures; each row is a sentence of the specification. */
class ClassificationTest {

    private static final String RETRY = "retry";
    private static final String NO = Reason.NOT_RETRYABLE.code();
    private static final String INTERRUPTED = Reason.INTERRUPTED.code();

    private static final IOException IO = new IOException("down");
    private static final IllegalStateException STATE = new IllegalStateException("bad");

    static Stream<Arguments> noRules() {
        return Stream.of(
                row("any exception", rules -> rules, IO, RETRY),
                row("an ordinary error", rules -> rules, new AssertionError(), RETRY),
                row("a status", rules -> rules, Failure.status(404), RETRY),
                row("a kind", rules -> rules, Failure.kind("timeout"), RETRY),
                row("a result nobody asked about", rules -> rules, Failure.result(1), NO),
                row("out of memory", rules -> rules, new OutOfMemoryError(), NO),
                row("stack overflow as a cause", rules -> rules, new RuntimeException(new StackOverflowError()), NO),
                row("a missing class", rules -> rules, new NoClassDefFoundError(), NO),
                row("an interrupt", rules -> rules, new InterruptedException(), INTERRUPTED),
                row(
                        "a wrapped interrupt",
                        rules -> rules,
                        new RuntimeException(new InterruptedException()),
                        INTERRUPTED),
                row("a time-out, whatever the interrupt made of it", rules -> rules, timeout(), RETRY),
                row("causes in a circle", rules -> rules, circle(), RETRY),
                row("an inner exhaustion by value", rules -> rules, new Failure.Thrown(IO, true), NO),
                row("an inner exhaustion by type", rules -> rules, exhausted(), NO),
                row("an inner exhaustion as a cause", rules -> rules, new RuntimeException(exhausted()), NO));
    }

    static Stream<Arguments> types() {
        UnaryOperator<RetryPolicy.Builder> io = rules -> rules.retryOn(IOException.class);
        UnaryOperator<RetryPolicy.Builder> notIo = rules -> rules.doNotRetryOn(IOException.class);
        UnaryOperator<RetryPolicy.Builder> ioButNotMissing =
                rules -> rules.retryOn(IOException.class).doNotRetryOn(FileNotFoundException.class);
        UnaryOperator<RetryPolicy.Builder> missingButNotIo =
                rules -> rules.retryOn(FileNotFoundException.class).doNotRetryOn(IOException.class);
        UnaryOperator<RetryPolicy.Builder> io429 =
                rules -> rules.retryOn(IOException.class).retryOnStatus(429);
        return Stream.of(
                row("retryOn matches", io, IO, RETRY),
                row("retryOn matches a subtype", io, new ConnectException(), RETRY),
                row("retryOn matches none", io, STATE, NO),
                row(
                        "retryOn names two",
                        rules -> rules.retryOn(IOException.class, TimeoutException.class),
                        timeout(),
                        RETRY),
                row("CompletionException around a match", io, new CompletionException(IO), RETRY),
                row("a match two causes deep", io, new RuntimeException(new ExecutionException(IO)), RETRY),
                row("doNotRetryOn matches", notIo, IO, NO),
                row("doNotRetryOn matches none", notIo, STATE, RETRY),
                row("doNotRetryOn matches a cause", notIo, new UncheckedIOException(IO), NO),
                row("doNotRetryOn before retryOn at one depth", ioButNotMissing, new FileNotFoundException(), NO),
                row("even when retryOn is the closer type", missingButNotIo, new FileNotFoundException(), NO),
                row(
                        "retryOn outside wins over doNotRetryOn inside",
                        rules -> rules.retryOn(IOException.class).doNotRetryOn(IllegalStateException.class),
                        new IOException(STATE),
                        RETRY),
                row(
                        "doNotRetryOn outside wins over retryOn inside",
                        rules -> rules.retryOn(IOException.class).doNotRetryOn(IllegalStateException.class),
                        new IllegalStateException(IO),
                        NO),
                row("never JVM errors, though named", rules -> rules.retryOn(Error.class), new OutOfMemoryError(), NO),
                row(
                        "never linkage errors, though named",
                        rules -> rules.retryOn(LinkageError.class),
                        new NoClassDefFoundError(),
                        NO),
                row(
                        "never interrupts, though named",
                        rules -> rules.retryOn(InterruptedException.class),
                        new InterruptedException(),
                        INTERRUPTED),
                row("retryOn matches, but an inner retry ran out", io, new Failure.Thrown(IO, true), NO),
                row(
                        "unless told to",
                        rules -> io.apply(rules).retryInnerExhaustion(),
                        new Failure.Thrown(IO, true),
                        RETRY),
                row("or by type", rules -> rules.retryInnerExhaustion(), exhausted(), RETRY),
                row("a status next to retryOn", io429, Failure.status(429), RETRY),
                row("a value matches no type", io, Failure.status(429), NO),
                row("nor does a kind", io, Failure.kind("io"), NO),
                row("a circle without a match", io, circle(), NO));
    }

    static Stream<Arguments> others() {
        UnaryOperator<RetryPolicy.Builder> busy = rules -> rules.retryOnStatus(429, 503);
        UnaryOperator<RetryPolicy.Builder> refused = rules -> rules.retryOnKind("econnrefused", "timeout");
        UnaryOperator<RetryPolicy.Builder> ifDown = rules -> rules.retryIf(e -> "down".equals(e.getMessage()));
        UnaryOperator<RetryPolicy.Builder> odd = rules -> rules.retryOnResult(value -> (Integer) value % 2 == 1);
        return Stream.of(
                row("a status in the list", busy, Failure.status(503), RETRY),
                row("a status not in it", busy, Failure.status(500), NO),
                row("an exception with a status in it", busy, new HttpStatusException(429, "slow"), RETRY),
                row("as a cause", busy, new CompletionException(new HttpStatusException(429, "slow")), RETRY),
                row("an exception with another status", busy, new HttpStatusException(404, "gone"), NO),
                row("an exception without a status", busy, IO, NO),
                row("a kind and only statuses", busy, Failure.kind("timeout"), NO),
                row(
                        "doNotRetryOn before the status",
                        rules -> busy.apply(rules).doNotRetryOn(HttpStatusException.class),
                        new HttpStatusException(429, "slow"),
                        NO),
                row("a kind in the list", refused, Failure.kind("timeout"), RETRY),
                row("an exception of a kind in it", refused, new Refusal("timeout"), RETRY),
                row("as a cause", refused, new CompletionException(new Refusal("timeout")), RETRY),
                row("an exception of another kind", refused, new Refusal("eacces"), NO),
                row("an exception of a kind and only statuses", busy, new Refusal("timeout"), NO),
                row("a kind not in it", refused, Failure.kind("eacces"), NO),
                row("a status and only kinds", refused, Failure.status(503), NO),
                row("an exception and only kinds", refused, IO, NO),
                row("retryIf says yes", ifDown, IO, RETRY),
                row("retryIf says no", ifDown, STATE, NO),
                row(
                        "retryIf sees inside wrappers",
                        ifDown,
                        new ExecutionException(new CompletionException(
                                new InvocationTargetException(new UndeclaredThrowableException(IO)))),
                        RETRY),
                row("retryIf does not see inside other exceptions", ifDown, new RuntimeException("x", IO), NO),
                row(
                        "retryIf after a matching type",
                        rules -> ifDown.apply(rules).retryOn(IllegalStateException.class),
                        STATE,
                        RETRY),
                row("retryIf and doNotRetryOn", rules -> ifDown.apply(rules).doNotRetryOn(IOException.class), IO, NO),
                row("retryIf next to statuses", rules -> busy.apply(ifDown.apply(rules)), IO, RETRY),
                row("retryIf is not asked about values", rules -> rules.retryIf(e -> true), Failure.status(503), NO),
                row(
                        "retryIf that throws counts as no",
                        rules -> rules.retryIf(e -> {
                            throw new IllegalStateException("broken predicate");
                        }),
                        IO,
                        NO),
                row(
                        "retryIf that throws an error counts as no",
                        rules -> rules.retryIf(e -> {
                            throw new NoClassDefFoundError("broken predicate");
                        }),
                        IO,
                        NO),
                row("retryOnResult says yes", odd, Failure.result(1), RETRY),
                row("retryOnResult says no", odd, Failure.result(2), NO),
                row("retryOnResult that throws counts as no", odd, Failure.result("text"), NO),
                row("retryOnResult is no rule about exceptions", odd, IO, RETRY),
                row("none, an exception", rules -> rules.retryNone(), IO, NO),
                row("none, though the type is named", rules -> rules.retryNone().retryOn(IOException.class), IO, NO),
                row("none, a status", rules -> rules.retryNone(), Failure.status(503), NO),
                row("none, a result", rules -> odd.apply(rules).retryNone(), Failure.result(1), NO),
                row(
                        "all forgets the allow rules",
                        rules -> ifDown.apply(busy.apply(refused.apply(rules)))
                                .retryOn(IOException.class)
                                .retryNone()
                                .retryAll(),
                        STATE,
                        RETRY),
                row(
                        "all keeps doNotRetryOn",
                        rules -> rules.doNotRetryOn(IOException.class).retryAll(),
                        IO,
                        NO));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource({"noRules", "types", "others"})
    void a_failure_is_retried_exactly_when_the_rules_say_so(
            String what, UnaryOperator<RetryPolicy.Builder> rules, Failure failure, String expected) {
        RetryPolicy policy = rules.apply(RetryPolicy.builder()).build();
        assertThat(verdict(policy, failure)).isEqualTo(expected);
        assertThat(verdict(policy.toBuilder().build(), failure))
                .as("through toBuilder")
                .isEqualTo(expected);
    }

    @Test
    void retryIf_is_asked_last_and_only_when_nothing_else_decided() {
        List<Throwable> asked = new ArrayList<>();
        RetryPolicy policy = RetryPolicy.builder()
                .retryOn(IOException.class)
                .doNotRetryOn(IllegalArgumentException.class)
                .retryOnStatus(429)
                .retryIf(asked::add)
                .build();
        verdict(policy, Failure.thrown(IO));
        verdict(policy, Failure.thrown(new IllegalArgumentException()));
        verdict(policy, Failure.thrown(new HttpStatusException(429, "slow")));
        verdict(policy, Failure.thrown(new InterruptedException()));
        assertThat(asked).isEmpty();
        verdict(policy, Failure.thrown(new CompletionException(STATE)));
        assertThat(asked).containsExactly(STATE);
    }

    @Test
    void a_chain_longer_than_sixty_four_is_not_followed_to_its_end() {
        Throwable deep = IO;
        for (int i = 0; i < 63; i++) {
            deep = new RuntimeException(deep);
        }
        RetryPolicy io = RetryPolicy.builder().retryOn(IOException.class).build();
        assertThat(verdict(io, Failure.thrown(deep))).isEqualTo(RETRY);
        assertThat(verdict(io, Failure.thrown(new RuntimeException(deep)))).isEqualTo(NO);
    }

    @Test
    void a_wrapper_without_a_cause_stays_as_it_is() {
        CompletionException empty = new CompletionException("nothing inside", null);
        assertThat(CauseChain.unwrap(empty)).isSameAs(empty);
        assertThat(CauseChain.unwrap(new CompletionException(new ExecutionException(empty))))
                .isSameAs(empty);
        assertThat(CauseChain.find(CauseChain.of(circle()), IOException.class)).isNull();
        assertThat(CauseChain.of(circle())).hasSize(2);
        assertThat(CauseChain.unwrap(wrapperCircle())).isInstanceOf(Exception.class);
    }

    @Test
    void rules_about_values_are_checked_when_given() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().retryOnStatus(200, 700))
                .withMessage("HTTP status must be between 100 and 599, got 700");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().retryOnKind(""))
                .withMessage("failure kind must not be blank");
    }

    private static String verdict(RetryPolicy policy, Failure failure) {
        return policy.decideSafely(Attempt.first(failure, Seeds.random(0)))
                .<String>match(retry -> RETRY, giveUp -> giveUp.reason().code());
    }

    private static Arguments row(
            String what, UnaryOperator<RetryPolicy.Builder> rules, Throwable thrown, String expected) {
        return row(what, rules, Failure.thrown(thrown), expected);
    }

    private static Arguments row(
            String what, UnaryOperator<RetryPolicy.Builder> rules, Failure failure, String expected) {
        return arguments(what, rules, failure, expected);
    }

    private static Throwable timeout() {
        return new AttemptTimeoutException(Duration.ofSeconds(1)).initCause(new InterruptedException("ours"));
    }

    private static Throwable exhausted() {
        return new RetryExhaustedException("inner", Reason.TTL_EXCEEDED, 2, IO);
    }

    private static Throwable circle() {
        RuntimeException one = new RuntimeException("one");
        one.initCause(new IllegalStateException("two", one));
        return one;
    }

    private static Throwable wrapperCircle() {
        CompletionException one = new CompletionException("one", null) {
            @Override
            public synchronized Throwable getCause() {
                return this;
            }
        };
        return one;
    }

    private static final class Refusal extends RuntimeException implements HasKind {
        private static final long serialVersionUID = 1L;
        private final String kind;

        private Refusal(String kind) {
            this.kind = kind;
        }

        @Override
        public String kind() {
            return kind;
        }
    }
}
