package io.redrive.bench;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Typed actors with and without retries. */
final class ActorsSuite implements Suite {

    private static final String RATE = "messages/s";
    private static final List<ActorLoad.Kind> RATES =
            List.of(ActorLoad.Kind.PLAIN, ActorLoad.Kind.NEVER_FAILS, ActorLoad.Kind.FAILS_1_PERCENT);

    @Override
    public String name() {
        return "actors";
    }

    @Override
    public String about() {
        return "a typed actor with a retry around it beside the same actor without";
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        int rounds = options.quick() ? 2 : 5;
        int seconds = options.quick() ? 4 : 10;
        Map<ActorLoad.Kind, Double> best = new EnumMap<>(ActorLoad.Kind.class);
        // Takes turns, each in a new JVM, and keeps the best figure of each contestant: load on the machine only lowers
        // figures.
        for (int round = 1; round <= rounds; round++) {
            progress.accept("plain, then with retries: round " + round + " of " + rounds);
            for (ActorLoad.Kind kind : RATES) {
                best.merge(kind, ActorLoad.inChild(kind, seconds), Math::max);
            }
        }
        progress.accept("pending retries");
        double bytes = ActorLoad.inChild(ActorLoad.Kind.PENDING, 0);
        double plain = best.get(ActorLoad.Kind.PLAIN);
        return List.of(
                BenchResult.judged(
                        name(),
                        "never-fails",
                        new Measured(RATE, best.get(ActorLoad.Kind.NEVER_FAILS), Map.of(), plain),
                        Target.atLeastLimitTimes(0.9)),
                BenchResult.plain(
                        name(),
                        "fails-1-percent",
                        new Measured(RATE, best.get(ActorLoad.Kind.FAILS_1_PERCENT), Map.of(), plain)),
                BenchResult.judged(
                        name(), "pending", new Measured("bytes/retry", bytes, Map.of(), null), Target.below(1_024)));
    }
}
