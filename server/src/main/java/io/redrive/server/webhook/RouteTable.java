package io.redrive.server.webhook;

import io.redrive.events.NamePattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Routes by name and by pattern. All routes that match an event deliver the event, not only the most specific. Finding routes
 * costs a look-up for each word of the event's name, however many routes there are. Immutable.
 */
final class RouteTable {

    static final RouteTable EMPTY = new RouteTable(List.of());

    private final Map<String, Route> byName = new TreeMap<>();
    private final Map<String, List<Route>> byPattern = new HashMap<>();

    RouteTable(Collection<Route> routes) {
        for (Route route : routes) {
            byName.put(route.name(), route);
            route.events().stream()
                    .distinct()
                    .forEach(pattern -> byPattern
                            .computeIfAbsent(pattern.text(), text -> new ArrayList<>())
                            .add(route));
        }
    }

    Collection<Route> routes() {
        return byName.values();
    }

    Optional<Route> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns the routes that deliver an event of this name, each once; none for a delivery event. */
    Collection<Route> matching(String eventName) {
        Set<Route> found = new LinkedHashSet<>(4);
        if (!eventName.startsWith(Route.PREFIX)) {
            add(eventName, found);
            for (int dot = eventName.lastIndexOf('.'); dot > 0; dot = eventName.lastIndexOf('.', dot - 1)) {
                add(eventName.substring(0, dot) + ".*", found);
            }
            add("*", found);
        }
        return found;
    }

    private void add(String pattern, Set<Route> found) {
        List<Route> routes = byPattern.get(pattern);
        if (routes != null) {
            found.addAll(routes);
        }
    }

    /** Returns the patterns of all routes, without patterns that another pattern includes. */
    Set<NamePattern> patterns() {
        List<NamePattern> all =
                byPattern.keySet().stream().map(NamePattern::new).toList();
        Set<NamePattern> widest = new LinkedHashSet<>();
        for (NamePattern pattern : all) {
            if (!isIncluded(pattern.text())) {
                widest.add(pattern);
            }
        }
        return widest;
    }

    private boolean isIncluded(String text) {
        String stem = text.endsWith(".*") ? text.substring(0, text.length() - 2) : text;
        for (int dot = stem.lastIndexOf('.'); dot > 0; dot = stem.lastIndexOf('.', dot - 1)) {
            if (byPattern.containsKey(stem.substring(0, dot) + ".*")) {
                return true;
            }
        }
        return !text.equals("*") && byPattern.containsKey("*");
    }
}
