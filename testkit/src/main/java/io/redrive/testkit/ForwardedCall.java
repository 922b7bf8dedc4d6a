package io.redrive.testkit;

import java.util.function.Supplier;

/** Passes one call on; see {@code ForwardingStore.forward}. */
@FunctionalInterface
interface ForwardedCall {
    <T> T forward(String call, Supplier<T> action);
}
