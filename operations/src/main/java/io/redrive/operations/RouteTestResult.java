package io.redrive.operations;

import java.time.Duration;

/**
 * The result of a test message.
 *
 * @param delivered true when the destination answered with a status from 200 to 299
 * @param summary the status, or why there was no answer
 * @param answer the head and the beginning of the body of the answer; empty without an answer
 * @param took how long the request took
 */
public record RouteTestResult(boolean delivered, String summary, String answer, Duration took) {}
