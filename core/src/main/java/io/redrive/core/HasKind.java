package io.redrive.core;

/** An exception that carries a kind of failure, such as {@code rate_limited}, for {@link RetryPolicy.Builder#retryOnKind}. */
public interface HasKind {

    /** The kind; also the failure's type in reports and metrics, so let there be few. */
    String kind();
}
