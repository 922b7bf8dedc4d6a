package io.redrive.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.redrive.core.RetryListener;
import java.util.Objects;

/**
 * Counts retries of actors' messages in Micrometer meters. Thread-safe; one instance serves all actors.
 *
 * <pre>{@code
 * RetryBehavior.of(Command.class, policy).named("payments").listener(ActorRetryMetrics.on(registry)).around(behavior);
 * }</pre>
 *
 * <table>
 * <caption>Meters, each with the tag {@code actor}: the name of the retry behavior</caption>
 * <tr><th>name</th><th>kind</th><th>more tags</th></tr>
 * <tr><td>{@code actor.retry.attempts}</td><td>counter of retries</td>
 *     <td>{@code attempt_number}: the failed attempt that the retry follows (1 to 9, 10+)</td></tr>
 * <tr><td>{@code actor.retry.success}</td><td>counter of messages that succeeded after retries</td>
 *     <td>{@code attempts_used}: all attempts, the first included (2 to 9, 10+)</td></tr>
 * <tr><td>{@code actor.retry.exhausted}</td><td>counter of messages that ran out of attempts, time or budget</td>
 *     <td></td></tr>
 * <tr><td>{@code actor.retry.delay}</td><td>timer, waits before retries</td><td></td></tr>
 * </table>
 *
 * <p>Names beyond the first {@value #MAX_ACTORS} are counted together as {@code other}.
 */
public final class ActorRetryMetrics implements RetryListener {

    /** The most names of actors with separate meters. */
    public static final int MAX_ACTORS = 200;

    private final BoundedNames<Meters> actors;

    private ActorRetryMetrics(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        actors = new BoundedNames<>(MAX_ACTORS, actor -> new Meters(registry, actor));
    }

    /** Returns a listener that counts in {@code registry}. */
    public static ActorRetryMetrics on(MeterRegistry registry) {
        return new ActorRetryMetrics(registry);
    }

    @Override
    public void onRetry(Retrying event) {
        Meters meters = actors.of(event.name());
        meters.retries[index(event.attempt())].increment();
        meters.delay.record(event.delay());
    }

    @Override
    public void onSuccess(Succeeded event) {
        if (event.attempts() > 1) {
            actors.of(event.name()).successes[index(event.attempts())].increment();
        }
    }

    @Override
    public void onGaveUp(GaveUp event) {
        if (event.reason().isExhaustion()) {
            actors.of(event.name()).exhausted.increment();
        }
    }

    private static int index(int attempt) {
        return Math.min(attempt, EventMeters.LAST_ATTEMPT) - 1;
    }

    /** The meters of one actor name, registered at zero: Prometheus would miss the first increase of a meter that begins at one. */
    private static final class Meters {
        private final Counter[] retries = new Counter[EventMeters.LAST_ATTEMPT];
        private final Counter[] successes = new Counter[EventMeters.LAST_ATTEMPT];
        private final Counter exhausted;
        private final Timer delay;

        Meters(MeterRegistry registry, String actor) {
            for (int attempt = 1; attempt <= EventMeters.LAST_ATTEMPT; attempt++) {
                String number =
                        attempt < EventMeters.LAST_ATTEMPT ? Integer.toString(attempt) : EventMeters.LAST_ATTEMPT + "+";
                retries[attempt - 1] = Counter.builder("actor.retry.attempts")
                        .description("Retries of messages, by the number of the failed attempt")
                        .tag("actor", actor)
                        .tag("attempt_number", number)
                        .register(registry);
                if (attempt > 1) {
                    successes[attempt - 1] = Counter.builder("actor.retry.success")
                            .description("Messages that succeeded after retries")
                            .tag("actor", actor)
                            .tag("attempts_used", number)
                            .register(registry);
                }
            }
            exhausted = Counter.builder("actor.retry.exhausted")
                    .description("Messages that ran out of attempts, time or budget")
                    .tag("actor", actor)
                    .register(registry);
            delay = Timer.builder("actor.retry.delay")
                    .description("Waits before retries of messages")
                    .tag("actor", actor)
                    .register(registry);
        }
    }
}
