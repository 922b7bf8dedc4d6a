package io.redrive.examples.kafkaorders;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.stereotype.Component;

/** Ships items. The first call for a sofa fails, as calls over a network do. */
@Component
class Warehouse {

    private final Set<String> items = ConcurrentHashMap.newKeySet();
    private final Set<Integer> refused = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Order> shipped = new LinkedBlockingQueue<>();

    Warehouse() {
        items.add("lamp");
        items.add("sofa");
    }

    void ship(Order order) throws IOException {
        if (!items.contains(order.item())) {
            throw new NoSuchItemException(order.item());
        }
        if (order.item().equals("sofa") && refused.add(order.number())) {
            throw new IOException("the warehouse does not answer");
        }
        shipped.add(order);
    }

    void stock(String item) {
        items.add(item);
    }

    BlockingQueue<Order> shipped() {
        return shipped;
    }
}
