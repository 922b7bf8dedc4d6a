/**
 * For tests: the contracts every event store keeps ({@link io.redrive.testkit.EventStoreContract},
 * {@link io.redrive.testkit.DeadLettersContract}), and a store that fails on purpose
 * ({@link io.redrive.testkit.FaultyStore}).
 */
package io.redrive.testkit;
