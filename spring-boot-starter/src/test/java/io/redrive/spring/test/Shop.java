package io.redrive.spring.test;

import io.redrive.spring.EventBus;
import io.redrive.spring.OnEvent;
import io.redrive.spring.RetryWith;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Component;

/** Parts of an application to be tested. */
final class Shop {

    private Shop() {}

    @SpringBootApplication
    static class Application {}

    record OrderPaid(String order) {}

    /** A dependency of the handlers, provided by the test. */
    interface Warehouse {
        void send(String order) throws IOException;
    }

    @Component
    static class Shipping {
        private final Warehouse warehouse;

        Shipping(Warehouse warehouse) {
            this.warehouse = warehouse;
        }

        @OnEvent("order.*")
        void ship(OrderPaid paid) throws IOException {
            warehouse.send(paid.order());
        }
    }

    /** Not a handler, and created only in tests of the whole application. */
    @Component
    static class Desk {
        private final EventBus bus;

        Desk(EventBus bus) {
            this.bus = bus;
        }

        void pay(String order) {
            bus.publish("order.paid", new OrderPaid(order));
        }
    }

    /** A warehouse with as many failures as the test sets. */
    static class FlakyWarehouse implements Warehouse {
        final List<String> sent = new ArrayList<>();
        int failures;

        @Override
        @RetryWith("stage")
        public void send(String order) throws IOException {
            if (failures-- > 0) {
                throw new IOException("closed");
            }
            sent.add(order);
        }
    }
}
