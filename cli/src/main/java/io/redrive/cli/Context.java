package io.redrive.cli;

import io.redrive.core.Time;
import java.io.InputStream;

/**
 * What commands have to do with besides printing; tests pass their own.
 *
 * @param time the clock
 * @param stores opens what {@code --store} names
 * @param terminal the person in front of it, if there is one
 * @param in standard input
 */
record Context(Time time, StoreOpener stores, Terminal terminal, InputStream in) {}
