package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.events.EventStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread of the intake outlives every failure of its consumer. */
final class KafkaIntakeTest {

    private static final int SECONDS = 20;

    private final ManualTime time = new ManualTime();
    private final EventStore store = FlowRig.shared();
    private final CountDownLatch polledAgain = new CountDownLatch(1);
    private final AtomicInteger consumers = new AtomicInteger();

    private KafkaIntake intake(Class<? extends Throwable> failure) {
        FlowSettings settings = TestSettings.with(RecordMapping.standard());
        OwnedPartitions partitions = new OwnedPartitions(time, Duration.ZERO);
        FlowExchange exchange = new FlowExchange(store, partitions, new RowBrake(store, 1, 1), settings);
        return new KafkaIntake(settings, store, partitions, exchange, time, () -> consumer(failure));
    }

    /** Returns a consumer whose first poll fails, and afterwards consumers that work. */
    private Consumer<byte[], byte[]> consumer(Class<? extends Throwable> failure) {
        boolean isFirst = consumers.getAndIncrement() == 0;
        return new MockConsumer<>("earliest") {
            @Override
            public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                if (isFirst) {
                    throw KafkaIntakeTest.<RuntimeException>thrown(failure);
                }
                polledAgain.countDown();
                return super.poll(timeout);
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T thrown(Class<? extends Throwable> failure) throws T {
        try {
            throw (T) failure.getConstructor(String.class).newInstance("shop/Order");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                NoClassDefFoundError.class,
                OutOfMemoryError.class,
                IllegalArgumentException.class,
                ArithmeticException.class
            })
    void a_failure_of_any_kind_is_told_and_a_new_consumer_starts(Class<? extends Throwable> failure) throws Exception {
        try (LogLines lines = new LogLines(ConsumerFailures.class);
                KafkaIntake intake = intake(failure)) {
            intake.start();
            assertThat(polledAgain.await(SECONDS, TimeUnit.SECONDS))
                    .as("a second consumer polls")
                    .isTrue();
            assertThat(lines.all())
                    .singleElement()
                    .asString()
                    .contains("consumer of group billing ended", "shop/Order");
        }
    }

    @Test
    void a_missing_class_is_told_with_its_remedy() {
        ConsumerFailures failures = new ConsumerFailures(TestSettings.with(RecordMapping.standard()), time);
        assertThat(failures.explain(new NoClassDefFoundError("shop/Order")))
                .contains("a class of this process is missing or broken", "shop/Order", "complete the class path");
    }
}
