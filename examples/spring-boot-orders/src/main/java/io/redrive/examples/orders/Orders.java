package io.redrive.examples.orders;

import io.redrive.spring.EventBus;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Orders with their states: placed, shipped, invoiced. */
@Repository
class Orders {

    private final JdbcClient jdbc;
    private final EventBus bus;

    Orders(JdbcClient jdbc, EventBus bus) {
        this.jdbc = jdbc;
        this.bus = bus;
    }

    // snippet: spring-transactional
    /** On PostgreSQL, order and event are in the same transaction. On SQLite the event is published after the commit. */
    @Transactional
    boolean place(String order, String item) {
        int added = jdbc.sql("INSERT INTO orders (id, item, state) VALUES (?, ?, 'placed') ON CONFLICT DO NOTHING")
                .params(order, item)
                .update();
        if (added == 1) {
            bus.publish(bus.event("order.placed", new OrderPlaced(order, item))
                    .correlationId(order)
                    .build());
        }
        return added == 1;
    }
    // end

    /** A handler may see an event twice; an order is shipped once. */
    @Transactional
    void shipped(String order) {
        int changed = jdbc.sql("UPDATE orders SET state = 'shipped' WHERE id = ? AND state = 'placed'")
                .param(order)
                .update();
        if (changed == 1) {
            bus.publish(bus.event("order.shipped", new OrderShipped(order))
                    .correlationId(order)
                    .build());
        }
    }

    void invoiced(String order) {
        jdbc.sql("UPDATE orders SET state = 'invoiced' WHERE id = ? AND state = 'shipped'")
                .param(order)
                .update();
    }

    Optional<String> stateOf(String order) {
        return jdbc.sql("SELECT state FROM orders WHERE id = ?")
                .param(order)
                .query(String.class)
                .optional();
    }
}
