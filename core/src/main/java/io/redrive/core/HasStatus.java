package io.redrive.core;

/** An exception that carries an HTTP status, for {@link RetryPolicy.Builder#retryOnStatus}. */
public interface HasStatus {

    /** Returns the HTTP status code, for example 503. */
    int status();
}
