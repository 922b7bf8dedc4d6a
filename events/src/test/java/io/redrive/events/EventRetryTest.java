package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.Backoff;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class EventRetryTest {

    private static final String KEY = "chunking-123-456-789";

    private final ManualTime time = new ManualTime(Instant.parse("2026-01-17T05:00:00Z"));
    private final List<AbandonedEvent<String>> abandoned = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final EventRetry<String> retry = builder(abandoned::add).build();
    private int calls;

    private EventRetry.Builder<String> builder(DeadLetterSink<String> sink) {
        return EventRetry.forService("chunking", sink)
                .time(time)
                .random(new SplittableRandom(17))
                .listener(new EventRetryListener() {
                    @Override
                    public void onRetry(Retrying event) {
                        heard.add("retry " + event.attempt() + "/" + event.maxAttempts());
                    }

                    @Override
                    public void onSuccess(Succeeded event) {
                        heard.add("success at " + event.attempts());
                    }

                    @Override
                    public void onAbandoned(Abandoned event) {
                        heard.add("abandoned " + event.reason() + " after " + event.attempts());
                    }
                });
    }

    private void visibleAt(int attempt) {
        calls++;
        if (calls < attempt) {
            throw new DocumentNotFoundException("no messages found");
        }
    }

    @Test
    void an_event_is_handled_once_its_document_is_visible() {
        RetryResult<Void> result = retry.handle(event -> visibleAt(3), "parsed", KEY);
        assertThat(result.isSuccess()).isTrue();
        assertThat(calls).isEqualTo(3);
        assertThat(abandoned).isEmpty();
        assertThat(heard).containsExactly("retry 1/8", "retry 2/8", "success at 3");
    }

    @Test
    void a_policy_that_judges_results_does_not_judge_a_handler_which_returns_none() {
        EventRetry<String> judging = builder(abandoned::add)
                .policy(RetryPolicy.builder().retryOnResult(Objects::isNull).build())
                .build();
        assertThat(judging.handle(event -> visibleAt(1), "parsed", KEY).isSuccess())
                .isTrue();
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void the_same_event_is_handed_over_each_time() {
        List<String> seen = new ArrayList<>();
        retry.handle(
                event -> {
                    seen.add(event);
                    visibleAt(3);
                },
                "parsed",
                KEY);
        assertThat(seen).containsExactly("parsed", "parsed", "parsed");
    }

    @Test
    void waits_are_full_jitter_below_a_doubling_of_250_ms() {
        retry.handle(event -> visibleAt(99), "parsed", KEY);
        List<Duration> waits = time.sleeps();
        assertThat(waits).hasSize(7);
        for (int i = 0; i < waits.size(); i++) {
            assertThat(waits.get(i)).isBetween(Duration.ZERO, Duration.ofMillis(250L << i));
        }
        assertThat(waits).doesNotHaveDuplicates();
    }

    @Test
    void when_attempts_run_out_the_event_is_in_the_sink_and_the_bus_is_done_with_it() {
        RetryResult<Void> result = retry.handle(event -> visibleAt(99), "parsed", KEY);
        assertThat(result)
                .isInstanceOfSatisfying(
                        RetryResult.Failure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED));
        assertThat(abandoned).singleElement().satisfies(letter -> {
            assertThat(letter.fields().keySet())
                    .containsExactly(
                            "original_event",
                            "idempotency_key",
                            "attempt_count",
                            "last_error",
                            "error_type",
                            "abandoned_reason",
                            "service_name",
                            "timestamp");
            assertThat(letter.fields())
                    .containsEntry("original_event", "parsed")
                    .containsEntry("idempotency_key", KEY)
                    .containsEntry("attempt_count", 8)
                    .containsEntry("error_type", "DocumentNotFoundException")
                    .containsEntry("abandoned_reason", "max_attempts_exceeded")
                    .containsEntry("service_name", "chunking")
                    .containsEntry("timestamp", time.now().toString());
            assertThat(letter.lastError()).contains("no messages found");
        });
        assertThat(heard).hasSize(8).last().isEqualTo("abandoned max_attempts_exceeded after 8");
    }

    @Test
    void when_the_time_is_over_the_event_is_abandoned_before_its_attempts_are_used_up() {
        EventRetry<String> patient = builder(abandoned::add)
                .policyFromEnvironment(Map.of("RETRY_MAX_ATTEMPTS", "1000", "RETRY_TTL_MINUTES", "1"))
                .build();
        patient.handle(event -> visibleAt(9_999), "parsed", KEY);
        assertThat(abandoned).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(Reason.TTL_EXCEEDED);
            assertThat(letter.attemptCount()).isLessThan(1_000);
        });
        assertThat(Duration.between(Instant.parse("2026-01-17T05:00:00Z"), time.now()))
                .isLessThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void another_error_goes_to_the_sink_at_once_and_is_thrown_again() {
        IOException invalid = new IOException("not JSON");
        assertThatThrownBy(() -> retry.handle(
                        event -> {
                            calls++;
                            throw invalid;
                        },
                        "parsed",
                        KEY))
                .isSameAs(invalid);
        assertThat(calls).isEqualTo(1);
        assertThat(time.sleeps()).isEmpty();
        assertThat(abandoned).singleElement().satisfies(letter -> {
            assertThat(letter.reason()).isEqualTo(Reason.NOT_RETRYABLE);
            assertThat(letter.attemptCount()).isEqualTo(1);
            assertThat(letter.errorType()).isEqualTo("IOException");
        });
        assertThat(heard).containsExactly("abandoned not_retryable after 1");
    }

    @Test
    void another_error_after_retries_ends_the_retries() {
        assertThatThrownBy(() -> retry.handle(
                        event -> {
                            visibleAt(3);
                            throw new IllegalArgumentException("bad chunk");
                        },
                        "parsed",
                        KEY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(abandoned).singleElement().satisfies(letter -> {
            assertThat(letter.attemptCount()).isEqualTo(3);
            assertThat(letter.history()).extracting(AttemptRecord::decision).containsExactly("retry", "retry", "dead");
        });
    }

    @Test
    void an_error_of_the_machine_is_a_crash_and_is_thrown_again() {
        assertThatThrownBy(() -> retry.handle(
                        event -> {
                            throw new NoClassDefFoundError("gone");
                        },
                        "parsed",
                        KEY))
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(abandoned).singleElement().extracting(AbandonedEvent::reason).isEqualTo(Reason.HANDLER_CRASHED);
    }

    @Test
    void a_policy_may_name_more_errors_to_retry() {
        RetryPolicy alsoIo =
                RetryPolicy.builder().maxAttempts(3).retryOn(IOException.class).build();
        assertThatCode(() -> retry.handle(
                        event -> {
                            calls++;
                            if (calls == 1) {
                                throw new IOException("reset");
                            }
                            if (calls == 2) {
                                throw new DocumentNotFoundException("not yet");
                            }
                        },
                        "parsed",
                        alsoIo,
                        KEY))
                .doesNotThrowAnyException();
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void an_interrupt_gives_the_event_back_to_the_bus_and_not_to_the_sink() {
        assertThatThrownBy(() -> retry.handle(
                        event -> {
                            Thread.currentThread().interrupt();
                            throw new DocumentNotFoundException("not yet");
                        },
                        "parsed",
                        KEY))
                .isInstanceOf(DocumentNotFoundException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(abandoned).isEmpty();
        assertThat(heard).containsExactly("retry 1/8");
    }

    @Test
    void when_the_sink_fails_the_event_goes_back_to_the_bus() {
        EventRetry<String> unlucky = builder(letter -> {
                    throw new IOException("sink is down");
                })
                .build();
        assertThatThrownBy(() -> unlucky.handle(event -> visibleAt(99), "parsed", KEY))
                .isInstanceOf(DocumentNotFoundException.class)
                .satisfies(error -> assertThat(error.getSuppressed())
                        .anyMatch(suppressed -> "sink is down".equals(suppressed.getMessage())));
        assertThat(heard).noneMatch(event -> event.startsWith("abandoned"));
    }

    @Test
    void a_listener_that_throws_changes_nothing() {
        EventRetry<String> noisy = builder(abandoned::add)
                .listener(new EventRetryListener() {
                    @Override
                    public void onSuccess(Succeeded event) {
                        throw new IllegalStateException("broken listener");
                    }
                })
                .build();
        assertThat(noisy.handle(event -> visibleAt(2), "parsed", KEY).isSuccess())
                .isTrue();
    }

    @Test
    void attempts_are_kept_with_their_times_and_delays() {
        retry.handle(
                event -> {
                    time.advance(Duration.ofMillis(40));
                    visibleAt(99);
                },
                "parsed",
                KEY);
        List<AttemptRecord> history = abandoned.get(0).history();
        assertThat(history)
                .hasSize(8)
                .allSatisfy(line -> assertThat(line.duration()).isEqualTo(Duration.ofMillis(40)));
        assertThat(history.get(1).at())
                .isEqualTo(history.get(0)
                        .at()
                        .plus(Duration.ofMillis(40))
                        .plus(time.sleeps().get(0)));
        assertThat(history.get(7).why()).isEqualTo("max_attempts_exceeded");
    }

    @Test
    void abandoned_events_can_be_kept_as_letters_of_a_store_and_not_twice() {
        InMemoryEventStore store = new InMemoryEventStore();
        EventRetry<Event> kept = EventRetry.forService("chunking", DeadLetterSink.into(store.deadLetters()))
                .time(time)
                .build();
        Event event = Event.named("json.parsed")
                .source("parser")
                .text("{}")
                .time(time)
                .build();
        for (int delivery = 0; delivery < 2; delivery++) {
            kept.handle(again -> visibleAt(99), event, KEY);
        }
        List<DeadLetter> letters = store.deadLetters().list(LetterFilter.ALL, 0, 10);
        assertThat(letters).singleElement().satisfies(letter -> {
            assertThat(letter.event().id()).isEqualTo(event.id());
            assertThat(letter.event().headers()).containsEntry("idempotency_key", KEY);
            assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(letter.attempts().failed()).isEqualTo(8);
            assertThat(letter.service()).isEqualTo("chunking");
            assertThat(store.deadLetters().find(letter.id()).orElseThrow().history())
                    .hasSize(8);
        });
    }

    @Test
    void the_environment_configures_the_policy() {
        EventRetry<String> short2 = builder(abandoned::add)
                .policyFromEnvironment(Map.of("RETRY_MAX_ATTEMPTS", "2"))
                .build();
        short2.handle(event -> visibleAt(99), "parsed", KEY);
        assertThat(calls).isEqualTo(2);
        assertThatThrownBy(() -> builder(abandoned::add).policyFromEnvironment(Map.of("RETRY_MAX_ATTEMPTS", "none")))
                .hasMessageContaining("RETRY_MAX_ATTEMPTS");
    }

    @Test
    void a_key_that_was_handled_is_not_handled_again_and_is_told() {
        List<EventRetryListener.Duplicate> duplicates = new ArrayList<>();
        EventRetry<String> once = builder(abandoned::add)
                .keys(HandledKeys.inMemory(), Duration.ofHours(1))
                .listener(new EventRetryListener() {
                    @Override
                    public void onDuplicate(Duplicate event) {
                        duplicates.add(event);
                    }
                })
                .build();
        assertThat(once.handle(event -> visibleAt(2), "parsed", KEY).attempts()).isEqualTo(2);
        RetryResult<Void> second = once.handle(event -> visibleAt(2), "parsed", KEY);
        assertThat(second.isSuccess()).isTrue();
        assertThat(second.attempts()).isZero();
        assertThat(calls).isEqualTo(2);
        assertThat(duplicates).containsExactly(new EventRetryListener.Duplicate("chunking", KEY));
        once.handle(event -> visibleAt(1), "other", KEY + "-2");
        assertThat(calls).isEqualTo(3);
        time.advance(Duration.ofHours(1));
        once.handle(event -> visibleAt(1), "parsed", KEY);
        assertThat(calls).isEqualTo(4);
    }

    @Test
    void a_key_that_was_given_up_or_failed_is_handled_again() {
        EventRetry<String> once =
                builder(abandoned::add).keys(HandledKeys.inMemory()).build();
        once.handle(event -> visibleAt(99), "parsed", KEY);
        assertThat(calls).isEqualTo(8);
        assertThat(once.handle(event -> visibleAt(9), "parsed", KEY).attempts()).isEqualTo(1);
    }

    @Test
    void a_store_of_keys_that_fails_keeps_no_event_from_being_handled() {
        HandledKeys broken = new HandledKeys() {
            @Override
            public boolean contains(String key, Instant now) {
                throw new IllegalStateException("away");
            }

            @Override
            public void add(String key, Instant until, Instant now) {
                throw new IllegalStateException("away");
            }
        };
        EventRetry<String> once = builder(abandoned::add).keys(broken).build();
        assertThat(once.handle(event -> visibleAt(1), "parsed", KEY).isSuccess())
                .isTrue();
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void a_letter_has_the_key_of_the_caller_and_is_found_by_the_key() {
        InMemoryEventStore store = new InMemoryEventStore();
        EventRetry<Event> kept = EventRetry.forService("chunking", DeadLetterSink.into(store.deadLetters()))
                .time(time)
                .build();
        Event event = Event.named("json.parsed").source("parser").time(time).build();
        kept.handle(again -> visibleAt(99), event, KEY);
        List<DeadLetter> found = store.deadLetters().list(LetterFilter.ALL.withText(KEY), 0, 10);
        assertThat(found).singleElement().returns(KEY, DeadLetter::idempotencyKey);
        assertThat(DeadLetterJson.write(found.get(0))).contains("\"idempotency_key\":\"" + KEY + "\"");
    }

    @Test
    void a_blank_or_enormous_key_is_refused_before_anything_is_handled() {
        for (String bad : new String[] {"", " ", "k".repeat(501)}) {
            assertThatThrownBy(() -> builder(abandoned::add).build().handle(event -> visibleAt(1), "parsed", bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("idempotency key must be 1 to 500 characters");
        }
        assertThat(calls).isZero();
    }

    @Test
    void keys_are_made_of_service_and_ids() {
        assertThat(IdempotencyKey.of("chunking", "abc", "def", "ghi")).isEqualTo("chunking-abc-def-ghi");
        String[] many = new String[200];
        java.util.Arrays.fill(many, "document");
        String cut = IdempotencyKey.of("chunking", many);
        many[199] = "another";
        assertThat(cut).hasSizeLessThanOrEqualTo(HandledKeys.MAX_KEY).startsWith("chunking-document-");
        assertThat(IdempotencyKey.of("chunking", many)).isNotEqualTo(cut);
        assertThatThrownBy(() -> IdempotencyKey.of("chunking")).hasMessageContaining("at least one id");
        assertThatThrownBy(() -> IdempotencyKey.of("chunking", "a", " ")).hasMessageContaining("must not be blank");
    }

    @Test
    void of_a_long_history_the_newest_attempts_are_kept() {
        int attempts = AbandonedEvent.MAX_HISTORY + 5;
        RetryPolicy many = RetryPolicy.builder()
                .maxAttempts(attempts)
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .build();
        retry.handle(event -> visibleAt(Integer.MAX_VALUE), "parsed", many, KEY);
        assertThat(abandoned.get(0).history())
                .hasSize(AbandonedEvent.MAX_HISTORY)
                .satisfies(history -> {
                    assertThat(history.get(0).number()).isEqualTo(6);
                    assertThat(history.get(history.size() - 1).number()).isEqualTo(attempts);
                });
    }

    @Test
    void an_error_that_was_retried_until_attempts_ran_out_is_no_crash() {
        RetryPolicy retried = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMillis(1)))
                .retryOn(AssertionError.class)
                .build();
        retry.handle(
                event -> {
                    throw new AssertionError("not yet");
                },
                "parsed",
                retried,
                KEY);
        assertThat(abandoned)
                .singleElement()
                .extracting(AbandonedEvent::reason)
                .isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
    }

    @Test
    void only_the_last_attempt_is_announced_in_the_log_as_a_warning() {
        Logger logger = Logger.getLogger(EventRetry.class.getPackageName());
        Level before = logger.getLevel();
        List<String> lines = new ArrayList<>();
        Handler reader = new Handler() {
            @Override
            public void publish(LogRecord told) {
                if (told.getMessage().startsWith("Retry attempt")) {
                    lines.add(told.getLevel() + " " + told.getMessage().substring(0, "Retry attempt 3/3".length()));
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.setLevel(Level.INFO);
        logger.addHandler(reader);
        try {
            RetryPolicy three = RetryPolicy.builder().maxAttempts(3).build();
            retry.handle(event -> visibleAt(Integer.MAX_VALUE), "parsed", three, KEY);
        } finally {
            logger.removeHandler(reader);
            logger.setLevel(before);
        }
        assertThat(lines).containsExactly("INFO Retry attempt 2/3", "WARNING Retry attempt 3/3");
    }
}
