package io.redrive.micrometer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value for each name up to a limit, and one shared value for all further names, so that names made from ids stay harmless. */
final class BoundedNames<T> {

    static final String OTHER = "other";
    private static final String UNNAMED = "unnamed";
    private static final Logger LOG = System.getLogger(BoundedNames.class.getPackageName());

    private final int limit;
    private final Function<String, T> make;
    private final ConcurrentHashMap<String, T> byName = new ConcurrentHashMap<>();
    /** The shared value; null until a name beyond the limit comes. */
    private volatile @Nullable T other;

    BoundedNames(int limit, Function<String, T> make) {
        this.limit = limit;
        this.make = make;
    }

    T of(String name) {
        @Nullable T known = byName.get(name);
        return known == null ? added(name) : known;
    }

    /** Returns true when the name is beyond the limit and has the shared value. */
    boolean isOther(String name) {
        return of(name) == other;
    }

    private synchronized T added(String name) {
        @Nullable T known = byName.get(name);
        if (known != null) {
            return known;
        }
        if (byName.size() < limit) {
            T made = make.apply(name.isEmpty() ? UNNAMED : name);
            byName.put(name, made);
            return made;
        }
        @Nullable T shared = other;
        if (shared == null) {
            LOG.log(
                    Level.WARNING,
                    "metrics must have at most " + limit + " different names, got '" + name
                            + "' in addition; further names are counted as '" + OTHER
                            + "': use names of kinds, not of instances");
            shared = make.apply(OTHER);
            other = shared;
        }
        return shared;
    }
}
