package io.redrive.spring;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryListener;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a circuit breaker; an absent setting keeps the default of {@link CircuitBreaker}.
 *
 * @param failureCount opens at this many failures within the window, instead of at a rate
 * @param failureRate opens at this share of failures within the window
 * @param minimumCalls judges the rate only from this many calls on
 * @param window how many of the last calls count
 * @param openFor how long the open breaker refuses calls before trial calls
 * @param trialCalls how many trial calls must succeed to close the breaker again
 */
public record BreakerSettings(
        @Nullable Integer failureCount,
        @Nullable Double failureRate,
        @Nullable Integer minimumCalls,
        @Nullable Integer window,
        @Nullable Duration openFor,
        @Nullable Integer trialCalls) {

    CircuitBreaker breaker(String name, Time time, List<RetryListener> listeners) {
        String prefix = SettingPath.below("redrive.breakers", name);
        return OptionalSetting.withKey(prefix, "", () -> {
            CircuitBreaker.Builder builder = CircuitBreaker.builder(name).time(time);
            OptionalSetting.apply(prefix + ".failure-rate", failureRate, builder::failureRate);
            OptionalSetting.apply(prefix + ".failure-count", failureCount, builder::failureCount);
            OptionalSetting.apply(prefix + ".minimum-calls", minimumCalls, builder::minimumCalls);
            OptionalSetting.apply(prefix + ".window", window, builder::window);
            OptionalSetting.apply(prefix + ".open-for", openFor, builder::openFor);
            OptionalSetting.apply(prefix + ".trial-calls", trialCalls, builder::trialCalls);
            listeners.forEach(builder::listener);
            return builder.build();
        });
    }
}
