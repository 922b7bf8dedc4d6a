package io.redrive.spring;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.RetryListener;
import io.redrive.core.Time;
import java.time.Duration;
import java.util.List;

/**
 * A circuit breaker in settings; what is not given is as in {@link CircuitBreaker}.
 *
 * @param failureCount opens at this many failures within the window, instead of at a rate
 * @param failureRate opens at this share of failures within the window
 * @param minimumCalls judges the rate only from this many calls on
 * @param window how many of the last calls count
 * @param openFor how long it refuses calls before it lets trial calls through
 * @param trialCalls how many trial calls must succeed to close it again
 */
public record BreakerSettings(
        Integer failureCount,
        Double failureRate,
        Integer minimumCalls,
        Integer window,
        Duration openFor,
        Integer trialCalls) {

    CircuitBreaker breaker(String name, Time time, List<RetryListener> listeners) {
        String prefix = SettingKeys.below("redrive.breakers", name);
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
