package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.redrive.items.RunListener;
import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.SampleState;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the samples of item runs in Micrometer meters. Thread-safe; one instance serves all runs of a process.
 *
 * <pre>{@code
 * Run.of(pipeline, store).from(source).to(sink).listener(RunMetrics.on(registry)).run();
 * }</pre>
 *
 * <table>
 * <caption>Meters, all with the tag {@code pipeline}; there are no tags for runs and samples</caption>
 * <tr><th>name</th><th>kind</th><th>further tags</th></tr>
 * <tr><td>{@code items.attempt}</td><td>timer of attempts</td>
 *     <td>{@code stage}, {@code status} (success, retrying, failed, skipped)</td></tr>
 * <tr><td>{@code items.ended}</td><td>counter of samples</td>
 *     <td>{@code state} (succeeded, skipped, dead)</td></tr>
 * <tr><td>{@code items.dead}</td><td>counter of dead samples</td>
 *     <td>{@code stage}, {@code reason}</td></tr>
 * <tr><td>{@code items.slowed}</td><td>timer of the pauses that servers asked for</td><td>{@code stage}</td></tr>
 * <tr><td>{@code items.limit}</td><td>gauge, calls at once that the adaptive limit of a stage allows; absent without such a
 *     limit</td><td>{@code stage}</td></tr>
 * </table>
 */
public final class RunMetrics implements RunListener {

    private static final int MAX_STAGES = 200;

    private final MeterRegistry registry;
    private final BoundedNames<PipelineMeters> pipelines;
    private final BoundedNames<StageMeters> stages;

    private RunMetrics(MeterRegistry registry) {
        this.registry = registry;
        pipelines = new BoundedNames<>(MAX_STAGES, PipelineMeters::new);
        stages = new BoundedNames<>(MAX_STAGES, StageMeters::new);
    }

    /** Returns a listener that counts in {@code registry}. */
    public static RunMetrics on(MeterRegistry registry) {
        return new RunMetrics(Objects.requireNonNull(registry, "registry"));
    }

    @Override
    public void onAttempt(Attempted event) {
        StageMeters meters = stage(event.call().pipeline(), event.call().stage());
        meters.attempts.of(event.status()).record(event.call().duration());
        if (event instanceof Attempted.Failed failed) {
            meters.dead(failed.reason().code()).increment();
        }
    }

    @Override
    public void onEnded(Ended event) {
        Counter ended = pipelines.of(event.pipeline()).ended.get(event.state());
        Objects.requireNonNull(ended, "a sample ends in a final state").increment();
    }

    @Override
    public void onSlowed(Slowed event) {
        stage(event.pipeline(), event.stage()).slowed.record(event.pause());
    }

    @Override
    public void onLimit(Limited event) {
        stage(event.pipeline(), event.stage()).limit().set(event.limit());
    }

    /** Returns the meters of a stage, whose key has a slash, because names of pipelines and stages have none. */
    private StageMeters stage(String pipeline, String stage) {
        return stages.of(pipeline + "/" + stage);
    }

    private final class PipelineMeters {
        private final Map<SampleState, Counter> ended = new EnumMap<>(SampleState.class);

        PipelineMeters(String pipeline) {
            for (SampleState state : SampleState.values()) {
                if (state.isFinal()) {
                    ended.put(
                            state,
                            Counter.builder("items.ended")
                                    .description("Ended samples")
                                    .tag("pipeline", pipeline)
                                    .tag("state", state.code())
                                    .register(registry));
                }
            }
        }
    }

    private final class StageMeters {
        private final Tags tags;
        private final EnumMeters<AttemptStatus, Timer> attempts;
        private final Timer slowed;
        private @Nullable AtomicInteger limit;

        StageMeters(String name) {
            int slash = name.indexOf('/');
            tags = slash < 0
                    ? Tags.of("pipeline", name, "stage", name)
                    : Tags.of("pipeline", name.substring(0, slash), "stage", name.substring(slash + 1));
            attempts = new EnumMeters<>(
                    AttemptStatus.class,
                    status -> Timer.builder("items.attempt")
                            .description("Attempts at a stage")
                            .tags(tags.and("status", status.code()))
                            .register(registry));
            slowed = Timer.builder("items.slowed")
                    .description("Pauses that servers asked for")
                    .tags(tags)
                    .register(registry);
        }

        synchronized AtomicInteger limit() {
            AtomicInteger known = limit;
            if (known == null) {
                known = new AtomicInteger();
                limit = known;
                Gauge.builder("items.limit", known, AtomicInteger::get)
                        .description("Calls at once that the adaptive limit of a stage allows")
                        .tags(tags)
                        .strongReference(true)
                        .register(registry);
            }
            return known;
        }

        Counter dead(String reason) {
            return Counter.builder("items.dead")
                    .description("Dead samples")
                    .tags(tags.and("reason", reason))
                    .register(registry);
        }
    }
}
