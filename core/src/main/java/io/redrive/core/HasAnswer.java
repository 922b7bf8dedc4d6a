package io.redrive.core;

/**
 * An exception that carries what the failing side answered, for example the head and the body of an HTTP response. The answer is
 * kept in the history of an event, after the message of the failure; the answer takes no part in grouping failures by cause.
 */
public interface HasAnswer {

    /** Longest answer that is kept; longer answers are cut. */
    int MAX_ANSWER = 7_000;

    /** Returns the answer as text. */
    String answer();
}
