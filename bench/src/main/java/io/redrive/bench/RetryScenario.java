package io.redrive.bench;

import java.util.concurrent.Callable;

/** The scenarios of {@link RetryBenchmark}. */
enum RetryScenario {
    SUCCESS("success", 0, false),
    FAIL_TWICE("fail-twice", 2, false),
    SUCCESS_BREAKER("success-breaker", 0, true),
    FAIL_TWICE_BREAKER("fail-twice-breaker", 2, true);

    private final String caseName;
    private final int failures;
    private final boolean breaker;

    RetryScenario(String caseName, int failures, boolean breaker) {
        this.caseName = caseName;
        this.failures = failures;
        this.breaker = breaker;
    }

    String caseName() {
        return caseName;
    }

    /**
     * At most half the best peer's time and no garbage in scenarios without failures; no slower than the best peer
     * otherwise.
     */
    Target time() {
        return Target.atMostBestPeerTimes(failures == 0 ? 0.5 : 1);
    }

    /** Null for a scenario without a target. */
    Target garbage() {
        return failures == 0 ? Target.atMost(0) : null;
    }

    boolean has(Library library) {
        return prepare(library) != null;
    }

    /** Null when the library cannot run the scenario. */
    Callable<Object> prepare(Library library) {
        FlakyCall call = new FlakyCall(failures);
        return breaker ? library.guarded(call) : library.retrying(call);
    }
}
