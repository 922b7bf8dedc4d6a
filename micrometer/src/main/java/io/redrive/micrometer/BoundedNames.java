package io.redrive.micrometer;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Something for each name, and one thing for all names beyond a limit, so that names made from ids stay harmless. */
final class BoundedNames<T> {

    static final String OTHER = "other";
    private static final String UNNAMED = "unnamed";
    private static final Logger LOG = System.getLogger(BoundedNames.class.getPackageName());

    private final int limit;
    private final Function<String, T> make;
    private final ConcurrentHashMap<String, T> byName = new ConcurrentHashMap<>();
    private volatile T other;

    BoundedNames(int limit, Function<String, T> make) {
        this.limit = limit;
        this.make = make;
    }

    T of(String name) {
        T known = byName.get(name);
        return known == null ? added(name) : known;
    }

    /** Whether this name is one of those counted together. */
    boolean isOther(String name) {
        return of(name) == other;
    }

    private synchronized T added(String name) {
        T known = byName.get(name);
        if (known != null) {
            return known;
        }
        if (byName.size() < limit) {
            T made = make.apply(name.isEmpty() ? UNNAMED : name);
            byName.put(name, made);
            return made;
        }
        if (other == null) {
            LOG.log(
                    Level.WARNING,
                    "more than " + limit + " different names in retry metrics, now '" + name
                            + "'; further ones are counted as '" + OTHER + "': use names of kinds, not of instances");
            other = make.apply(OTHER);
        }
        return other;
    }
}
