package io.redrive.examples.kafkaorders;

import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveRequest;
import io.redrive.kafka.KafkaBus;
import io.redrive.kafka.LetterTopic;
import io.redrive.spring.EventBus;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Places four orders, shows the dead letter of the fourth, and redrives it after the repair. */
@Component
class Tour {

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final int MOST_LOOKS = 600;

    private final EventBus events;
    private final KafkaBus kafka;
    private final Warehouse warehouse;
    private final EventStore store;
    private final LetterTopic letterTopic;
    private final Time time;

    Tour(EventBus events, KafkaBus kafka, Warehouse warehouse, EventStore store, LetterTopic letterTopic, Time time) {
        this.events = events;
        this.kafka = kafka;
        this.warehouse = warehouse;
        this.store = store;
        this.letterTopic = letterTopic;
        this.time = time;
    }

    void run() throws InterruptedException {
        List<String> items = List.of("lamp", "sofa", "lamp", "unicorn");
        for (int number = 1; number <= items.size(); number++) {
            // snippet: kafka-publish
            Order order = new Order(number, items.get(number - 1));
            kafka.publish(
                    "orders",
                    events.event("order.placed", order)
                            .orderingKey("customer-" + number % 2)
                            .build());
            // end
        }
        print(3);
        await(() -> !letters().isEmpty() && letterTopic.waiting() == 0);
        letters().forEach(letter -> System.out.println("dead letter, also on dlq.orders: " + letter.lastError()));
        warehouse.stock("unicorn");
        store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 10, "tour", "tour", false, time.now()));
        print(1);
        System.out.println(letters().size() + " dead letters are left");
    }

    /** Prints the next shipped orders by their numbers: keys are handled at the same time. */
    private void print(int orders) throws InterruptedException {
        TreeMap<Integer, String> shipped = new TreeMap<>();
        while (shipped.size() < orders) {
            Order order = warehouse.shipped().poll(1, TimeUnit.MINUTES);
            if (order == null) {
                throw new IllegalStateException("no order was shipped within a minute");
            }
            shipped.put(order.number(), order.item());
        }
        shipped.forEach((number, item) -> System.out.println("order " + number + ": " + item + " shipped"));
    }

    private List<DeadLetter> letters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, 10);
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (looks == MOST_LOOKS) {
                throw new IllegalStateException("the dead letter did not arrive within a minute");
            }
            time.sleep(LOOK);
        }
    }
}
