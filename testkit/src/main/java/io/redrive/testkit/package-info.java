/**
 * For tests of stores and of code that uses stores: contracts to extend ({@link io.redrive.testkit.EventStoreContract},
 * {@link io.redrive.testkit.DeadLettersContract}, {@link io.redrive.testkit.RunStoreContract},
 * {@link io.redrive.testkit.HandledKeysContract}), stores whose n-th call fails ({@link io.redrive.testkit.FaultyStore},
 * {@link io.redrive.testkit.FaultyRunStore}), a store to subclass ({@link io.redrive.testkit.ForwardingStore}), and a file
 * system that loses power ({@link io.redrive.testkit.PowerLossFileSystem}).
 *
 * <dl>
 *   <dt>contract</dt>
 *   <dd>The tests that every implementation of a port must pass. A contract has parts, one interface per subject.
 *   <dt>fixture</dt>
 *   <dd>Opens stores for a contract, and closes them after each test.
 *   <dt>driver</dt>
 *   <dd>A store under test with a clock that stands still, and short methods for the steps of a contract.
 *   <dt>scenario</dt>
 *   <dd>A fixed sequence of calls, repeated with a fault or a crash at each call.
 *   <dt>fault</dt>
 *   <dd>A failure injected into a call, before or after the call took effect.
 *   <dt>ledger</dt>
 *   <dd>The list of effects on a store, seen behind the faults.
 *   <dt>random use, random run</dt>
 *   <dd>Calls chosen by a seed, whose answers are compared with a simple model: {@code Expected…}.
 * </dl>
 */
@NullMarked
package io.redrive.testkit;

import org.jspecify.annotations.NullMarked;
