package io.redrive.examples.kafkaorders;

import io.redrive.spring.OnEvent;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** Handles the records of the topic {@code orders}. */
@Component
class Shipping {

    private final Warehouse warehouse;

    Shipping(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    // snippet: kafka-handler
    @OnEvent("order.placed")
    void ship(Order order) throws IOException {
        warehouse.ship(order);
    }
    // end
}
