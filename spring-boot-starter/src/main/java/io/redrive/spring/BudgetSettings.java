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
        return Given.refusing(prefix, "", () -> {
            RetryBudget.Builder builder = RetryBudget.builder(name);
            Given.of(prefix + ".share", share, builder::share);
            Given.of(prefix + ".reserve", reserve, builder::reserve);
            Given.of(prefix + ".size", size, builder::size);
            Given.of(prefix + ".retry-cost", retryCost, builder::retryCost);
            Given.of(prefix + ".timeout-cost", timeoutCost, builder::timeoutCost);
            return builder.build();
        });
    }
}
