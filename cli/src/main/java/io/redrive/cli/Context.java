package io.redrive.cli;

import io.redrive.core.Time;
import java.io.InputStream;
import java.util.Map;

/**
 * What commands have to do with besides printing; tests pass their own.
 *
 * @param time the clock
 * @param stores opens what {@code --store} names
 * @param terminal the person in front of it, if there is one
 * @param in standard input
 * @param environment the variables of this process
 */
record Context(Time time, StoreOpener stores, Terminal terminal, InputStream in, Map<String, String> environment) {

    /** In the environment of this process. */
    Context(Time time, StoreOpener stores, Terminal terminal, InputStream in) {
        this(time, stores, terminal, in, System.getenv());
    }
}
