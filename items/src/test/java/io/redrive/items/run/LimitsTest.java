package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.Item;
import io.redrive.items.ItemPipeline;
import io.redrive.items.RunSettings;
import io.redrive.items.SampleContext;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.report.RunReport;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Everything has a limit: payloads, the window, attempts, names. */
final class LimitsTest {

    private static final RunSettings MEBIBYTE = RunSettings.STANDARD.withWindowBytes(1024 * 1024);

    private final Rig rig = new Rig();

    @Test
    void a_result_that_is_too_large_kills_its_sample_without_another_attempt() {
        AtomicInteger calls = new AtomicInteger();
        ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.map("grow", (String text) -> {
                    calls.incrementAndGet();
                    return text.equals("s1") ? text.repeat(50) : text;
                }))
                .maxPayload(50)
                .build();
        RunRecord end = rig.runToEnd(pipeline, Rig.numbers(3));

        assertThat(end.balance()).isEqualTo(new Balance(3, 2, 0, 1, 0, 0));
        assertThat(calls).hasValue(3);
        SampleRecord.Death death =
                rig.store.archive().dead(DeadFilter.ALL, 1).get(0).death();
        assertThat(death.reason()).isEqualTo(Reason.NOT_RETRYABLE);
        assertThat(death.message())
                .contains("the result of stage 'grow' has 100 bytes, the limit is 50")
                .contains("raise maxPayload");
    }

    @Test
    void a_sample_that_is_too_large_is_dead_before_the_first_stage() {
        ItemPipeline<String, String> pipeline = ItemPipeline.named("texts", Codec.text())
                .stage(Stage.map("same", (String text) -> text))
                .maxPayload(5)
                .build();
        RunRecord end = rig.runToEnd(pipeline, SampleSource.of(List.of("short", "too long")));

        assertThat(end.balance()).isEqualTo(new Balance(2, 1, 0, 1, 0, 0));
        DeadSample dead = rig.store.archive().dead(DeadFilter.ALL, 1).get(0);
        assertThat(dead.stage()).isEqualTo("source");
        assertThat(dead.death().reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(dead.sample().payload()).isEqualTo(SampleRecord.Payload.NONE);
        assertThat(rig.store.archive().attempts("run-1", 1)).singleElement().satisfies(line -> {
            assertThat(line.stage()).isEqualTo("source");
            assertThat(line.status()).isEqualTo(AttemptStatus.FAILED);
        });
    }

    @Test
    void a_sample_the_source_cannot_read_is_dead_and_the_run_goes_on() {
        List<Item<String>> items = List.of(
                Item.of("a", "good"), Item.bad("b", "malformed_json", "unexpected end"), Item.of("c", "good too"));
        SampleSource<String> source = () -> {
            var left = items.iterator();
            return () -> left.hasNext() ? Optional.of(left.next()) : Optional.empty();
        };
        RunRecord end = rig.runToEnd(Rig.pipeline(Stage.map("same", s -> s)), source);

        assertThat(end.balance()).isEqualTo(new Balance(3, 2, 0, 1, 0, 0));
        assertThat(rig.store.archive().errors("run-1", 5))
                .containsExactly(new ErrorCount("source", "malformed_json", "unexpected end", 1, 1));
        assertThat(RunReport.of(rig.store.archive(), "run-1", rig.time.now()).stages())
                .filteredOn(stage -> stage.stage().equals("source"))
                .extracting(StageCounts::attempts, StageCounts::succeeded)
                .as("the two that could be read count as well")
                .containsExactly(tuple(3L, 2L));
    }

    @Test
    void no_more_samples_than_the_window_are_taken_ahead() {
        AtomicInteger read = new AtomicInteger();
        SampleSource<String> endless = SampleSource.stream(
                () -> Stream.generate(() -> "s" + read.incrementAndGet()).limit(100_000));
        RetryPolicy slow = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofDays(1)))
                .jitter(Jitter.none())
                .build();
        Run run = rig.run(
                Rig.pipeline(
                        Stage.<String, String>of("s", null, (text, context) -> StageOutcome.failed(Failure.status(503)))
                                .policy(slow)),
                endless,
                builder -> builder.ordered().settings(RunSettings.STANDARD.withWindow(50)));
        run.drain();

        assertThat(read).hasValueLessThanOrEqualTo(51);
        assertThat(run.progress().inFlight()).isEqualTo(50);
    }

    @Test
    void when_half_the_window_waits_further_samples_wait_in_the_store() {
        RetryPolicy slow = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMinutes(10)))
                .jitter(Jitter.none())
                .build();
        Stage<String, String> stage = Stage.<String, String>of(
                        "s",
                        null,
                        (text, context) -> context.ordinal() < 500 && context.attempt() == 1
                                ? StageOutcome.failed(Failure.status(503))
                                : StageOutcome.value(text))
                .policy(slow);
        Run run = rig.run(
                Rig.pipeline(stage),
                Rig.numbers(600),
                builder -> builder.settings(RunSettings.STANDARD.withWindow(100)));
        run.drain();

        assertThat(run.progress().waiting()).isEqualTo(50);
        assertThat(run.progress().inFlight()).isEqualTo(50);
        assertThat(rig.results).hasSize(100);
        assertThat(rig.finish(run).balance()).isEqualTo(new Balance(600, 600, 0, 0, 0, 0));
    }

    @Test
    void the_window_has_a_limit_in_bytes() {
        AtomicInteger read = new AtomicInteger();
        SampleSource<String> large =
                SampleSource.stream(() -> Stream.generate(() -> "x".repeat(1_000) + read.incrementAndGet())
                        .limit(10_000));
        RetryPolicy slow = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofDays(1)))
                .jitter(Jitter.none())
                .build();
        Run run = rig.run(
                Rig.pipeline(
                        Stage.<String, String>of("s", null, (text, context) -> StageOutcome.failed(Failure.status(503)))
                                .policy(slow)),
                large,
                builder -> builder.ordered().settings(RunSettings.STANDARD.withWindowBytes(10_000)));
        run.drain();

        assertThat(read.get()).isLessThanOrEqualTo(513);
        assertThat(run.progress().dead()).isZero();
    }

    @Test
    void unwritten_samples_count_in_the_window() {
        Run run = rig.run(
                Rig.pipeline(Stage.map("same", (String text) -> text)),
                ofSixtyFourKibibytes(400),
                builder -> builder.settings(MEBIBYTE.withCommits(Duration.ofHours(1), 1_000_000)));

        assertThat(mostInFlight(run)).isLessThanOrEqualTo(64);
        assertThat(run.progress().succeeded()).isEqualTo(400);
    }

    @Test
    void claimed_samples_stay_within_the_window() {
        RetryPolicy slow = RetryPolicy.builder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMinutes(1)))
                .jitter(Jitter.none())
                .build();
        Stage<String, String> flaky = Stage.<String, String>of(
                        "s",
                        null,
                        (text, context) -> context.attempt() == 1
                                ? StageOutcome.failed(Failure.status(503))
                                : StageOutcome.value(text))
                .policy(slow);
        Run run = rig.run(Rig.pipeline(flaky), ofSixtyFourKibibytes(400), builder -> builder.settings(MEBIBYTE));
        run.drain();
        // Waiting samples do not keep other samples out of the window.
        assertThat(run.progress().taken()).isEqualTo(400);
        assertThat(run.progress().waiting()).isEqualTo(8);
        rig.time.advance(Duration.ofMinutes(2));

        assertThat(mostInFlight(run)).isBetween(1, 17);
        assertThat(run.progress().succeeded()).isEqualTo(400);
    }

    private int mostInFlight(Run run) {
        int most = 0;
        while (!run.isOver()) {
            if (!run.step()) {
                rig.time.advance(Duration.ofSeconds(1));
            }
            most = Math.max(most, run.progress().inFlight());
        }
        return most;
    }

    private static SampleSource<String> ofSixtyFourKibibytes(int count) {
        return SampleSource.stream(
                () -> Stream.generate(() -> "x".repeat(64 * 1024)).limit(count));
    }

    @Test
    void a_stage_that_returns_null_has_failed() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(
                        Stage.map("nothing", (String text) -> (String) null).policy(RetryPolicy.noRetry())),
                Rig.numbers(1));

        assertThat(end.balance().dead()).isEqualTo(1);
        assertThat(rig.store.archive().errors("run-1", 1).get(0).message()).contains("must not return null");
    }

    @Test
    void an_error_kills_the_sample_and_not_the_run() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.map("boom", (String text) -> {
                    if (text.equals("s2")) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    return text;
                })),
                Rig.numbers(5));

        assertThat(end.balance()).isEqualTo(new Balance(5, 4, 0, 1, 0, 0));
        assertThat(rig.store
                        .archive()
                        .dead(DeadFilter.ALL, 1)
                        .get(0)
                        .sample()
                        .death()
                        .reason())
                .isEqualTo(Reason.HANDLER_CRASHED);
    }

    @Test
    void a_stage_that_interrupts_itself_again_and_again_kills_its_sample_and_not_the_run() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.map("self", (String text) -> {
                    if (text.equals("s2")) {
                        throw new InterruptedException("a library gave up");
                    }
                    return text;
                })),
                Rig.numbers(30));

        assertThat(end.balance()).isEqualTo(new Balance(30, 29, 0, 1, 0, 0));
        SampleRecord.Death death =
                rig.store.archive().dead(DeadFilter.ALL, 1).get(0).death();
        assertThat(death.reason()).isEqualTo(Reason.INTERRUPTED);
        assertThat(death.message()).contains("stage 'self' was interrupted 10 times, though nobody stopped the run");
    }

    @Test
    void an_interrupt_never_reaches_the_sample_after() {
        List<String> reached = new ArrayList<>();
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.map("self", (String text) -> {
                            if (Thread.interrupted()) {
                                reached.add(text);
                            }
                            if (text.equals("s2")) {
                                throw new InterruptedException("a library gave up");
                            }
                            return text;
                        })
                        .concurrency(1)),
                Rig.numbers(30));

        assertThat(end.balance().succeeded()).isEqualTo(29);
        assertThat(reached).isEmpty();
    }

    @Test
    void a_time_limit_leaves_no_alarm_behind() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.map("same", (String text) -> text).timeLimit(Duration.ofHours(1))), Rig.numbers(30));

        assertThat(end.balance().succeeded()).isEqualTo(30);
        assertThat(rig.time.pending()).isZero();
    }

    @Test
    void in_a_batch_only_the_sample_dies_that_the_stage_interrupts_itself_at() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(Stage.batch("self", 8, (List<String> texts) -> {
                    if (texts.contains("s2")) {
                        throw new InterruptedException("a library gave up");
                    }
                    return texts;
                })),
                Rig.numbers(32));

        assertThat(end.balance()).isEqualTo(new Balance(32, 31, 0, 1, 0, 0));
    }

    @Test
    void a_value_without_an_id_or_without_a_value_is_dead_and_the_run_goes_on() {
        SampleSource<String> source = SampleSource.of(
                Arrays.asList("good", null, "no id", "x".repeat(300), "good too"),
                text -> text.equals("no id") ? null : text);
        RunRecord end = rig.runToEnd(Rig.pipeline(Stage.map("same", s -> s)), source);

        assertThat(end.balance()).isEqualTo(new Balance(5, 2, 0, 3, 0, 0));
        assertThat(rig.store.archive().dead(DeadFilter.ALL, 10))
                .extracting(dead -> dead.sample().id(), dead -> dead.death().errorType())
                .containsExactly(tuple("4", "no_id"), tuple("3", "no_id"), tuple("2", "no_value"));
    }

    @Test
    void a_failed_attempt_cannot_spoil_the_sample_for_the_next() {
        Codec<StringBuilder> codec = new Codec<>() {
            @Override
            public byte[] encode(StringBuilder value) {
                return value.toString().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public StringBuilder decode(byte[] bytes) {
                return new StringBuilder(new String(bytes, StandardCharsets.UTF_8));
            }
        };
        List<String> seen = new ArrayList<>();
        ItemPipeline<StringBuilder, StringBuilder> pipeline = ItemPipeline.named("builders", codec)
                .stage(Stage.of("append", null, (StringBuilder value, SampleContext context) -> {
                    seen.add(value.toString());
                    value.append("!");
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("too late, it is changed");
                    }
                    return StageOutcome.value(value);
                }))
                .build();
        List<String> results = new ArrayList<>();
        Run run = Run.of(pipeline, rig.store)
                .id("run-1")
                .from(SampleSource.of(List.of(new StringBuilder("a"))))
                .to(Sink.each(result -> results.add(result.value().toString())))
                .executor(Runnable::run)
                .time(rig.time)
                .build();
        rig.finish(run);

        assertThat(seen).containsExactly("a", "a");
        assertThat(results).containsExactly("a!");
    }

    @Test
    void values_with_a_text_form_are_kept_as_text() {
        Codec<Integer> codec = Codec.text(number -> "n" + number, text -> Integer.valueOf(text.substring(1)));

        assertThat(codec.encode(7)).asString(StandardCharsets.UTF_8).isEqualTo("n7");
        assertThat(codec.decode("n7".getBytes(StandardCharsets.UTF_8))).isEqualTo(7);
    }

    @Test
    void messages_of_failures_are_cut_and_mended_for_every_store() {
        String said = "a\0b\uD800c" + "x".repeat(5_000);
        rig.runToEnd(
                Rig.pipeline(
                        Stage.<String, String>of("s", null, (text, context) -> StageOutcome.failed(Failure.kind(said)))
                                .policy(RetryPolicy.noRetry())),
                Rig.numbers(1));

        StageAttempt line = rig.store.archive().attempts("run-1", 0).get(0);
        assertThat(line.message())
                .hasSize(StageAttempt.MAX_MESSAGE)
                .startsWith("a\uFFFDb\uFFFDcx")
                .endsWith("x…");
        assertThat(line.errorType()).hasSize(100);
        SampleRecord.Death death =
                rig.store.archive().sample("run-1", 0).orElseThrow().death();
        assertThat(death.message()).isEqualTo(line.message());
        assertThat(death.errorType()).isEqualTo(line.errorType());
    }

    @Test
    void names_and_ids_are_checked() {
        assertThatThrownBy(() -> Stage.map("two words", (String s) -> s))
                .hasMessageContaining("stage name must be 1 to 100");
        assertThatThrownBy(() -> ItemPipeline.named("", Codec.text())).hasMessageContaining("pipeline name");
        assertThatThrownBy(() -> ItemPipeline.named("p", Codec.text()).build())
                .hasMessageContaining("at least one stage");
        assertThatThrownBy(() -> Rig.pipeline(Stage.map("a", s -> s), Stage.map("a", s -> s)))
                .hasMessage("pipeline 'texts' must not have two stages of one name, got 'a' twice");
        assertThatThrownBy(() -> Rig.pipeline(Stage.map("source", s -> s)))
                .hasMessageContaining("stage name must not be 'source', which stands for what could not be read");
        assertThatThrownBy(() -> Item.of("", "x")).hasMessageContaining("sample id");
        assertThatThrownBy(() -> Item.of("a\nb", "x")).hasMessageContaining("without control characters");
        assertThatThrownBy(() ->
                        Run.of(Rig.pipeline(Stage.map("a", s -> s)), rig.store).id("../x"))
                .hasMessageContaining("run id");
        assertThatThrownBy(() -> Stage.map("a", (String s) -> s).concurrency(0))
                .hasMessage("concurrency of stage 'a' must be between 1 and 10000, got 0");
        assertThatThrownBy(() -> RunSettings.STANDARD.withWindow(0)).hasMessage("window must be at least 1, got 0");
    }

    @Test
    void the_hash_of_a_stage_changes_with_the_causes_of_its_results() {
        Stage<String, String> stage = Stage.map("llm", s -> s);
        assertThat(stage.configHash())
                .matches("[0-9a-f]{12}")
                .isEqualTo(Stage.map("llm", (String s) -> s).configHash());
        assertThat(stage.config("model=2").configHash()).isNotEqualTo(stage.configHash());
        assertThat(stage.policy(RetryPolicy.noRetry()).configHash()).isNotEqualTo(stage.configHash());
        assertThat(stage.concurrency(2).configHash()).isEqualTo(stage.configHash());
    }

    @Test
    void text_must_be_utf_8() {
        assertThat(Codec.text().decode("grüße \uFFFD".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("grüße \uFFFD");
        assertThatThrownBy(() -> Codec.text().decode(new byte[] {(byte) 0xC3, (byte) 0x28}))
                .hasMessage("text must be UTF-8, got bytes that are not");
    }
}
