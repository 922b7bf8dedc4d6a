package io.redrive.examples.orders;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@RestController
class OrderController {

    private final Orders orders;
    private final Warehouse warehouse;

    OrderController(Orders orders, Warehouse warehouse) {
        this.orders = orders;
        this.warehouse = warehouse;
    }

    record Request(String item) {}

    record Answer(String order, String state) {}

    @PutMapping("/orders/{order}")
    ResponseEntity<Void> place(@PathVariable("order") String order, @RequestBody Request request) {
        boolean isNew = orders.place(order, request.item());
        return ResponseEntity.status(isNew ? HttpStatus.ACCEPTED : HttpStatus.CONFLICT)
                .build();
    }

    @GetMapping("/orders/{order}")
    ResponseEntity<Answer> state(@PathVariable("order") String order) {
        return ResponseEntity.of(orders.stateOf(order).map(state -> new Answer(order, state)));
    }

    /** Adds an item to the warehouse, as an operator does before redriving dead letters. */
    @PutMapping("/warehouse/{item}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void stock(@PathVariable("item") String item) {
        warehouse.stock(item);
    }
}
