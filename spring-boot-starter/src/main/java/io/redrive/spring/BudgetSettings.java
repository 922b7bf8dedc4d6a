package io.redrive.spring;

import io.redrive.core.RetryBudget;

/**
 * A retry budget in settings; what is not given is as in {@link RetryBudget}.
 *
 * @param share retries per first attempt
 * @param reserve tokens at the start
 * @param size how many tokens good times may save up
 * @param retryCost tokens a retry costs
 * @param timeoutCost tokens a retry after a time-out costs
 */
public record BudgetSettings(Double share, Double reserve, Double size, Double retryCost, Double timeoutCost) {

    RetryBudget budget(String name) {
        String prefix = SettingKeys.below("redrive.budgets", name);
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
