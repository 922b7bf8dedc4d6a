/**
 * One retry decision, in process: policies as values, the engine that runs blocking and asynchronous calls under a policy, a
 * circuit breaker, a retry budget, and a clock that tests turn by hand. No dependencies.
 *
 * <p>Start at {@link io.redrive.core.RetryPolicy} (what to decide) and {@link io.redrive.core.Retry} (how to run).
 *
 * <dl>
 * <dt>operation</dt><dd>the user's work that may fail</dd>
 * <dt>attempt</dt><dd>one run of the operation</dd>
 * <dt>call</dt><dd>all attempts of one operation, from the first to success or giving up</dd>
 * <dt>failure</dt><dd>how an attempt failed: an exception, an HTTP status, a kind, or a refused result</dd>
 * <dt>decision</dt><dd>the answer of a policy about a failed attempt: retry after a delay, or give up for a reason</dd>
 * <dt>policy</dt><dd>the rules of the decision; immutable</dd>
 * <dt>retry</dt><dd>an attempt after the first; also {@link io.redrive.core.Retry}, which runs calls under a policy</dd>
 * <dt>backoff</dt><dd>the rule that computes the delay after each failed attempt</dd>
 * <dt>jitter</dt><dd>randomness added to that delay</dd>
 * <dt>wait</dt><dd>the time between two attempts: the delay after jitter and hint</dd>
 * <dt>hint</dt><dd>the delay that the failing side asks for, for example by a {@code Retry-After} header</dd>
 * <dt>exhausted</dt><dd>a call that gave up because attempts, time or budget ran out</dd>
 * <dt>time limit</dt><dd>the longest time of one attempt</dd>
 * <dt>budget</dt><dd>tokens for retries, shared by all calls to one downstream</dd>
 * <dt>breaker</dt><dd>refuses calls to a downstream that keeps failing; closed, open or half-open</dd>
 * <dt>permit</dt><dd>the breaker's leave to make a call, handed back with the outcome</dd>
 * <dt>listener</dt><dd>user code that hears of attempts, retries and ends of calls</dd>
 * <dt>schedule</dt><dd>all waits of a policy as a table</dd>
 * <dt>setting</dt><dd>a key with a text value, from a map, properties, the environment or a command line</dd>
 * </dl>
 */
@NullMarked
package io.redrive.core;

import org.jspecify.annotations.NullMarked;
