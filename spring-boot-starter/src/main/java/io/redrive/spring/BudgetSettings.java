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
        try {
            RetryBudget.Builder builder = RetryBudget.builder(name);
            Given.of(share, builder::share);
            Given.of(reserve, builder::reserve);
            Given.of(size, builder::size);
            Given.of(retryCost, builder::retryCost);
            Given.of(timeoutCost, builder::timeoutCost);
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("redrive.budgets." + name + ": " + e.getMessage(), e);
        }
    }
}
