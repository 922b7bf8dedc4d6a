package io.redrive.spring;

import io.redrive.core.RetryBudget;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a retry budget; an absent setting keeps the default of {@link RetryBudget}.
 *
 * @param share retries per first attempt
 * @param reserve tokens at the start
 * @param size how many tokens good times may save up
 * @param retryCost tokens a retry costs
 * @param timeoutCost tokens a retry after a time-out costs
 */
public record BudgetSettings(
        @Nullable Double share,
        @Nullable Double reserve,
        @Nullable Double size,
        @Nullable Double retryCost,
        @Nullable Double timeoutCost) {

    RetryBudget budget(String name) {
        String prefix = SettingPath.below("redrive.budgets", name);
        return OptionalSetting.withKey(prefix, "", () -> {
            RetryBudget.Builder builder = RetryBudget.builder(name);
            OptionalSetting.apply(prefix + ".share", share, builder::share);
            OptionalSetting.apply(prefix + ".reserve", reserve, builder::reserve);
            OptionalSetting.apply(prefix + ".size", size, builder::size);
            OptionalSetting.apply(prefix + ".retry-cost", retryCost, builder::retryCost);
            OptionalSetting.apply(prefix + ".timeout-cost", timeoutCost, builder::timeoutCost);
            return builder.build();
        });
    }
}
