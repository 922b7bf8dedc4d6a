package io.redrive.items;

import io.redrive.core.CostLimit;
import io.redrive.items.store.Price;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The cost limit of a stage, the estimate for one sample, and the price where one is given. */
record StageCost(CostLimit limit, ToLongFunction<Object> estimate, Optional<Price> price) {}
