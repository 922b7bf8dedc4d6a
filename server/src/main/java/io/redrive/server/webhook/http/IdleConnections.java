package io.redrive.server.webhook.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;

/** Connections without a request, by address and name of their target. The connection that was used last is used first. Thread-safe. */
final class IdleConnections {

    /** More connections than this are closed instead of kept. */
    private static final int MOST = 1_000;

    private final Map<HttpHost, Deque<PlainConnection>> kept = new HashMap<>();
    private int count;
    private boolean closed;

    /** Removes and returns a connection to the target; null when none is kept. */
    synchronized @Nullable PlainConnection take(HttpHost target) {
        Deque<PlainConnection> connections = kept.get(target);
        PlainConnection last = connections == null ? null : connections.pollFirst();
        if (last != null) {
            count--;
        }
        return last;
    }

    /** Keeps a connection, or closes it when too many are kept. */
    void keep(HttpHost target, PlainConnection connection) {
        if (!isKept(target, connection)) {
            connection.close();
        }
    }

    private synchronized boolean isKept(HttpHost target, PlainConnection connection) {
        if (closed || count >= MOST) {
            return false;
        }
        count++;
        kept.computeIfAbsent(target, key -> new ArrayDeque<>()).addFirst(connection);
        return true;
    }

    /** Closes the connections that have rested for too long. */
    synchronized void evict(long now) {
        for (Iterator<Deque<PlainConnection>> targets = kept.values().iterator(); targets.hasNext(); ) {
            Deque<PlainConnection> connections = targets.next();
            connections.removeIf(connection -> {
                boolean over = connection.isRestOver(now);
                if (over) {
                    count--;
                    connection.close();
                }
                return over;
            });
            if (connections.isEmpty()) {
                targets.remove();
            }
        }
    }

    /** Closes all connections; those that come back later are closed at once. */
    synchronized void close() {
        closed = true;
        kept.values().forEach(connections -> connections.forEach(PlainConnection::close));
        kept.clear();
    }
}
