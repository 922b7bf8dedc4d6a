package io.redrive.core;

/** An exception that carries a kind of failure, such as {@code rate_limited}, for {@link RetryPolicy.Builder#retryOnKind}. */
public interface HasKind {

    /** Returns the kind. The kind is also the failure's type in reports and metrics, so use few different kinds. */
    String kind();
}
