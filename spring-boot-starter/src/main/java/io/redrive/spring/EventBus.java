package io.redrive.spring;

import io.redrive.events.Event;
import java.util.List;

/**
 * Publishes events with regard to the current transaction. Thread-safe.
 *
 * <pre>{@code
 * @Transactional
 * public void pay(Order order) {
 *     orders.save(order);
 *     bus.publish("order.paid", new OrderPaid(order.id(), order.total()));
 * }
 * }</pre>
 *
 * <p>Outside a transaction an event is durable when {@code publish} returns. Inside a transaction the store decides. When
 * the store is on the application's own PostgreSQL data source, the event is part of the transaction: both are committed, or
 * neither. With any other store, or in a transaction of another database, the event is published right after the commit
 * ({@link Publication#AFTER_COMMIT}). A rollback then publishes no event, but a crash between commit and publish loses the
 * event, and an exception of the store reaches the caller only after the commit.
 */
public interface EventBus {

    /** Publishes one event. */
    default Publication publish(Event event) {
        return publish(List.of(event)).get(0);
    }

    /** Publishes all events or none. */
    List<Publication> publish(List<Event> events);

    /** Publishes an event with this payload: text, bytes, or an object that Jackson writes as JSON. */
    default Publication publish(String name, Object payload) {
        return publish(event(name, payload).build());
    }

    /** Starts an event from this application with this payload; for a correlation id, a priority or a due time. */
    Event.Builder event(String name, Object payload);
}
