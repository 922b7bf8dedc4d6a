package io.redrive.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.redrive.core.Reason;
import io.redrive.spring.EventBus;
import io.redrive.spring.test.RedriveTest;
import io.redrive.spring.test.TestPipeline;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

// snippet: redrive-test
@RedriveTest
class ShippingTest {

    @Autowired
    private EventBus bus;

    @Autowired
    private TestPipeline pipeline;

    @MockitoBean
    private Orders orders;

    @MockitoBean
    private Warehouse warehouse;

    @Test
    void an_order_is_shipped_when_the_warehouse_is_there_again() throws IOException {
        doThrow(new IOException("down")).doNothing().when(warehouse).send("17", "book");

        bus.publish("order.placed", new OrderPlaced("17", "book"));
        pipeline.drain(Duration.ofSeconds(1)); // passes at once

        verify(warehouse, times(2)).send("17", "book");
        verify(orders).shipped("17");
    }

    @Test
    void an_item_that_does_not_exist_is_not_asked_for_again() throws IOException {
        doThrow(new NoSuchItemException("moon")).when(warehouse).send("18", "moon");

        bus.publish("order.placed", new OrderPlaced("18", "moon"));
        pipeline.drain();

        assertThat(pipeline.deadLetters())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).isEqualTo(Reason.NOT_RETRYABLE));
    }
}
// end
