/**
 * For tests: the contracts every event store keeps ({@link io.redrive.testkit.EventStoreContract},
 * {@link io.redrive.testkit.DeadLettersContract}), a store that fails on purpose
 * ({@link io.redrive.testkit.FaultyStore}), and a disk that loses what was not synced
 * ({@link io.redrive.testkit.PowerLossFileSystem}).
 */
package io.redrive.testkit;
