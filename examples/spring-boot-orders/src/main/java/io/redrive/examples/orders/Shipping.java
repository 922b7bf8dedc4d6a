package io.redrive.examples.orders;

import io.redrive.spring.OnEvent;
import java.io.IOException;
import java.util.List;
import org.springframework.stereotype.Component;

/** Handles the events of orders: ships placed orders and invoices shipped orders. */
@Component
class Shipping {

    private final Orders orders;
    private final Warehouse warehouse;

    Shipping(Orders orders, Warehouse warehouse) {
        this.orders = orders;
        this.warehouse = warehouse;
    }

    // snippet: spring-handlers
    @OnEvent("order.placed")
    void ship(OrderPlaced placed) throws IOException {
        warehouse.send(placed.order(), placed.item());
        orders.shipped(placed.order());
    }

    /** Handles batches, because the parameter is a list: invoices are cheaper by the dozen. */
    @OnEvent("order.shipped")
    void invoice(List<OrderShipped> shipped) {
        shipped.forEach(order -> orders.invoiced(order.order()));
    }
    // end
}
