package io.redrive.server.webhook.http;

/** What became of a request. */
public sealed interface SendResult {

    /** The destination answered. */
    record Answered(Answer answer) implements SendResult {}

    /** The destination did not answer: refused, reset, garbled, too slow, forbidden. */
    record NotAnswered(Exception cause) implements SendResult {}

    /** The request did not leave: no name service, no network, no proxy. The destination is not to blame. */
    record NotSent(String why) implements SendResult {}
}
