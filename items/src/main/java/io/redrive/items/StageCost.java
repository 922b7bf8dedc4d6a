package io.redrive.items;

import io.redrive.core.CostLimit;
import io.redrive.items.store.Price;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The cost limit of a stage, the estimate for one value, and the price of a unit if one was given. */
record StageCost(CostLimit limit, ToLongFunction<Object> estimate, Optional<Price> price) {}
