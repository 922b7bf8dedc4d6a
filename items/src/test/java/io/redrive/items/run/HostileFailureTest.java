package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.HasKind;
import io.redrive.core.HasRetryAfter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Result;
import io.redrive.items.RunListener;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.SourceException;
import io.redrive.items.Stage;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exceptions, policies, listeners and sinks whose own methods throw: no neighbour is lost, and every run ends. */
final class HostileFailureTest {

    private final Rig rig = new Rig();

    /** An exception whose own methods all throw. */
    private static class Unreadable extends RuntimeException implements HasKind, HasRetryAfter {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new AssertionError("no text");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause");
        }

        @Override
        public String kind() {
            throw new IllegalStateException("no kind");
        }

        @Override
        public Optional<Duration> retryAfter() {
            throw new IllegalStateException("no hint");
        }
    }

    private static <E extends Throwable> void sneak(Throwable error) throws E {
        @SuppressWarnings("unchecked")
        E same = (E) error;
        throw same;
    }

    @Test
    void an_exception_that_cannot_be_read_kills_its_sample_and_no_other() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.<String>map("s", text -> {
                    if (text.equals("s3")) {
                        throw new Unreadable();
                    }
                    return text;
                })),
                Rig.numbers(10));

        assertThat(end.balance()).isEqualTo(new Balance(10, 9, 0, 1, 0, 0));
        assertThat(rig.store.archive().errors("run-1", 1))
                .singleElement()
                .satisfies(error -> assertThat(error.errorType()).contains("Unreadable"));
    }

    @Test
    void an_exception_that_cannot_be_read_kills_its_sample_of_a_batch_and_no_other() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.<String>batch("s", 5, texts -> {
                            if (texts.contains("s3")) {
                                throw new Unreadable();
                            }
                            return texts;
                        })
                        .policy(RetryPolicy.noRetry())),
                Rig.numbers(10));

        assertThat(end.balance()).isEqualTo(new Balance(10, 9, 0, 1, 0, 0));
    }

    @Test
    void a_policy_that_throws_gives_up_on_its_sample_for_the_sample_s_own_failure() {
        RetryPolicy broken = RetryPolicy.builder()
                .retryIf(error -> {
                    throw new Unreadable();
                })
                .build();
        IllegalArgumentException own = new IllegalArgumentException("the real failure");
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.<String>map("s", text -> {
                            if (text.equals("s1")) {
                                throw own;
                            }
                            return text;
                        })
                        .policy(broken)),
                Rig.numbers(3));

        assertThat(end.balance()).isEqualTo(new Balance(3, 2, 0, 1, 0, 0));
        assertThat(rig.store.archive().dead(DeadFilter.ALL, 1).get(0).death()).satisfies(death -> {
            assertThat(death.reason()).isEqualTo(Reason.NOT_RETRYABLE);
            assertThat(death.message()).contains("the real failure");
        });
        assertThat(own.getSuppressed()).singleElement().isInstanceOf(Unreadable.class);
    }

    @Test
    void a_listener_that_throws_anything_changes_nothing() {
        RunListener hostile = new RunListener() {
            @Override
            public void onAttempt(Attempted event) {
                HostileFailureTest.<RuntimeException>sneak(new Exception("checked"));
            }

            @Override
            public void onEnded(Ended event) {
                throw new Unreadable();
            }
        };
        RunRecord end = rig.finish(rig.run(
                Rig.pipeline(Stage.map("s", text -> text)), Rig.numbers(10), builder -> builder.listener(hostile)));

        assertThat(end.balance()).isEqualTo(new Balance(10, 10, 0, 0, 0, 0));
    }

    @Test
    void a_sink_that_throws_anything_is_tried_again_and_ends_the_run_when_it_does_not_close() {
        AtomicInteger calls = new AtomicInteger();
        Sink<String> hostile = new Sink<>() {
            @Override
            public String name() {
                return "hostile";
            }

            @Override
            public String open(Optional<String> position) {
                return "0";
            }

            @Override
            public String write(List<Result<String>> results) {
                if (calls.incrementAndGet() == 1) {
                    HostileFailureTest.<RuntimeException>sneak(new Unreadable() {
                        private static final long serialVersionUID = 1L;
                    });
                }
                if (calls.get() == 2) {
                    throw new LinkageError();
                }
                return "0";
            }

            @Override
            public void close() {
                throw new AssertionError("not closed");
            }
        };
        RunRecord end = Run.of(Rig.pipeline(Stage.map("s", text -> text)), rig.store)
                .id("run-1")
                .from(Rig.numbers(10))
                .to(hostile)
                .run();

        assertThat(end.balance()).isEqualTo(new Balance(10, 10, 0, 0, 0, 0));
        assertThat(calls).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void a_source_with_an_unreadable_exception_stops_the_run() {
        SampleSource<String> hostile = SampleSource.of(() -> new Iterator<>() {
            private int given;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public String next() {
                if (given == 3) {
                    throw new Unreadable();
                }
                return "s" + given++;
            }
        });
        Run run = rig.run(Rig.pipeline(Stage.map("s", text -> text)), hostile);
        RunRecord end = rig.finish(run);

        assertThat(end.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(end.totals().taken()).isEqualTo(3);
        assertThatThrownBy(run::await).isInstanceOf(SourceException.class);
    }

    /** An exception whose text never comes, not even after an interrupt, until the test ends. */
    private static final class Blocking extends RuntimeException implements HasRetryAfter {
        private static final long serialVersionUID = 1L;
        private final transient CountDownLatch release;

        private Blocking(CountDownLatch release) {
            this.release = release;
        }

        private void block() {
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    // Ignores the interrupt.
                }
            }
        }

        @Override
        public String getMessage() {
            block();
            return "late";
        }

        @Override
        public Optional<Duration> retryAfter() {
            block();
            return Optional.empty();
        }
    }

    @Test
    @Timeout(60)
    void an_exception_whose_methods_never_return_kills_its_sample_and_the_run_ends() {
        CountDownLatch release = new CountDownLatch(1);
        try {
            RunRecord end = Run.of(
                            Rig.pipeline(Stage.<String>map("s", text -> {
                                        if (text.equals("s3")) {
                                            throw new Blocking(release);
                                        }
                                        return text;
                                    })
                                    .policy(RetryPolicy.noRetry())),
                            rig.store)
                    .id("run-1")
                    .from(Rig.numbers(10))
                    .to(Sink.none())
                    .run();

            assertThat(end.balance()).isEqualTo(new Balance(10, 9, 0, 1, 0, 0));
            assertThat(rig.store
                            .archive()
                            .dead(DeadFilter.ALL, 1)
                            .get(0)
                            .death()
                            .message())
                    .contains("Blocking (its message was not read within");
        } finally {
            release.countDown();
        }
    }

    @Test
    @Timeout(60)
    void a_listener_and_a_sink_whose_exceptions_never_print_hold_up_no_run() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger writes = new AtomicInteger();
        try {
            RunRecord end = Run.of(Rig.pipeline(Stage.map("s", text -> text)), rig.store)
                    .id("run-1")
                    .from(Rig.numbers(2))
                    .to(Sink.each(result -> {
                        if (writes.incrementAndGet() == 1) {
                            throw new Blocking(release);
                        }
                    }))
                    .listener(new RunListener() {
                        @Override
                        public void onEnded(Ended event) {
                            throw new Blocking(release);
                        }
                    })
                    .run();

            assertThat(end.balance().succeeded()).isEqualTo(2);
        } finally {
            release.countDown();
        }
    }
}
