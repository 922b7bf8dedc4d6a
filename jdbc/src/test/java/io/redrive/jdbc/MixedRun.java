package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.run.Run;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A run of 500 samples, of which many are written once, and many again and again: every third sample is skipped, every
 * tenth is retried, every fiftieth dies.
 */
final class MixedRun {

    static final String ID = "march";

    /** Lines of the audit trail: successes, retries and failures of the first stage, and all lines of the second. */
    static final int LINES = 490 + 50 + 10 + 490;

    static final int DEAD = 10;

    private static final String WHY = "not \"this\" \\ one: \u9577\u3044 \uD83D\uDE00\n";

    private MixedRun() {}

    /** Runs all samples, and checks the archive. */
    static void runOn(RunStore store) {
        Run.of(pipeline(), store)
                .id(ID)
                .from(SampleSource.stream(() -> IntStream.range(0, 500).mapToObj(i -> "s" + i), value -> value))
                .run();

        RunArchive archive = store.archive();
        assertThat(archive.retries(ID)).containsEntry(1, 50L).containsEntry(0, 450L);
        List<StageCounts> stages = archive.stages(ID);
        assertThat(stages)
                .extracting(StageCounts::stage, StageCounts::succeeded, StageCounts::retried, StageCounts::failed)
                .startsWith(tuple("fetch", 490L, 50L, 10L));
        assertThat(stages.get(1).succeeded() + stages.get(1).skipped()).isEqualTo(490);
        assertThat(archive.errors(ID, 10)).extracting(ErrorCount::errorType).containsExactly("http_503", "http_400");
        for (int i = 0; i < 500; i++) {
            assertThat(archive.sample(ID, i).orElseThrow().id()).isEqualTo("s" + i);
            int lines = archive.sample(ID, i).orElseThrow().progress().sequence();
            assertThat(archive.attempts(ID, i))
                    .extracting(StageAttempt::sequence)
                    .isEqualTo(IntStream.rangeClosed(1, lines).boxed().toList());
        }
        assertThat(archive.attempts(ID, 3))
                .extracting(StageAttempt::stage, StageAttempt::status, StageAttempt::message)
                .containsExactly(tuple("fetch", AttemptStatus.SUCCESS, ""), tuple("odd", AttemptStatus.SKIPPED, WHY));
    }

    private static ItemPipeline<String, String> pipeline() {
        RetryPolicy onUnavailable = RetryPolicy.builder()
                .retryOnStatus(503)
                .backoff(Backoff.fixed(Duration.ofMillis(200)))
                .build();
        Stage<String, String> fetch = Stage.of("fetch", Codec.text(), (value, context) -> {
            if (context.ordinal() % 50 == 1) {
                return StageOutcome.failed(Failure.status(400));
            }
            boolean fails = context.ordinal() % 10 == 0 && context.attempt() == 1;
            return fails ? StageOutcome.failed(Failure.status(503)) : StageOutcome.value(value);
        });
        Stage<String, String> odd = Stage.of(
                "odd",
                Codec.text(),
                (value, context) -> context.ordinal() % 3 == 0 ? StageOutcome.skip(WHY) : StageOutcome.value(value));
        return ItemPipeline.named("sorts", Codec.text())
                .stage(fetch.policy(onUnavailable))
                .stage(odd)
                .build();
    }
}
