package io.redrive.spring;

import io.redrive.events.Event;
import java.util.List;

/**
 * Publishes events, and keeps to the transaction of the moment. Thread-safe.
 *
 * <pre>{@code
 * @Transactional
 * public void pay(Order order) {
 *     orders.save(order);
 *     bus.publish("order.paid", new OrderPaid(order.id(), order.total()));
 * }
 * }</pre>
 *
 * <p>Outside a transaction an event is durable when {@code publish} returns. Inside of one it depends on the store. On the
 * application's own PostgreSQL the event is part of the transaction: both happen, or neither. On any other store, and in a
 * transaction of another database, it is published right after the commit ({@link Publication#AFTER_COMMIT}): nothing is
 * published by a transaction that rolls back, but a process that dies between the two loses the event, and a store that
 * refuses it is told to the caller when the transaction is over.
 */
public interface EventBus {

    /** Publishes one event. */
    default Publication publish(Event event) {
        return publish(List.of(event)).get(0);
    }

    /** Publishes events, all of them or none. */
    List<Publication> publish(List<Event> events);

    /** Publishes an event with this payload: text, bytes, or what Jackson makes JSON of. */
    default Publication publish(String name, Object payload) {
        return publish(event(name, payload).build());
    }

    /** Starts an event from this application with this payload; for a correlation id, a priority or a due time. */
    Event.Builder event(String name, Object payload);
}
