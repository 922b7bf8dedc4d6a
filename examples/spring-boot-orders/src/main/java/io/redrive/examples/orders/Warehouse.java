package io.redrive.examples.orders;

import io.redrive.spring.RetryWith;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** Stands for a remote service: every second call fails. */
@Component
class Warehouse {

    private final AtomicInteger calls = new AtomicInteger();
    private final Set<String> items = ConcurrentHashMap.newKeySet();
    private final Map<String, String> sent = new ConcurrentHashMap<>();

    Warehouse() {
        items.add("book");
    }

    // snippet: spring-retry-with
    /** Sends an item. The order is the key by which the warehouse recognizes a repeated request. */
    @RetryWith(value = "warehouse", breaker = "warehouse")
    void send(String order, String item) throws IOException {
        if (calls.incrementAndGet() % 2 == 1) {
            throw new IOException("connection reset");
        }
        if (!items.contains(item)) {
            throw new NoSuchItemException(item);
        }
        sent.putIfAbsent(order, item);
    }
    // end

    void stock(String item) {
        items.add(item);
    }
}
