package io.redrive.core;

/** An exception that carries an HTTP status, for {@link RetryPolicy.Builder#retryOnStatus}. */
public interface HasStatus {

    /** The HTTP status code, such as 503. */
    int status();
}
