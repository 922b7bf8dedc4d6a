package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedriveRequest;
import io.redrive.events.flow.PartitionReport;
import io.redrive.pipeline.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The stories of a flow that hold above every store that keeps its failures. */
abstract class FlowContract {

    static final Duration SHORT = Duration.ofMillis(20);
    static final Duration LONG = Duration.ofSeconds(3);

    /** Returns a new topic above a new, empty store that several members of a group can share. */
    abstract FlowRig rig(int partitions);

    @Test
    void a_short_wait_is_held_in_memory_and_a_long_one_is_a_row_that_is_retried() throws Exception {
        for (Duration wait : List.of(SHORT, LONG)) {
            try (FlowRig rig = rig(1)) {
                Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
                rig.start(
                        flow -> flow,
                        pipeline -> pipeline.policies(FlowRig.retryAfter(wait)).on("order.paid", (event, context) -> {
                            attempts.add(context.attempt());
                            if (context.attempt() < 3) {
                                throw new IOException("not yet");
                            }
                        }));
                rig.send(0, null, "a");
                rig.broker.flush();
                if (wait.equals(LONG)) {
                    FlowRig.until(() -> rig.store.stats(Instant.now()).delayed() == 1);
                    rig.awaitNoLag();
                }
                FlowRig.until(() -> attempts.size() == 3);
                rig.awaitNoLag();
                FlowRig.until(() -> rig.store.stats(Instant.now()).claimed() == 0);
                assertThat(attempts).containsExactly(1, 2, 3);
                assertThat(rig.letters()).isEmpty();
            }
        }
    }

    @Test
    void any_process_on_the_store_sees_the_lag_and_then_the_names_of_the_letters() throws Exception {
        try (FlowRig rig = rig(2)) {
            CountDownLatch opened = new CountDownLatch(1);
            rig.send(0, "a", "good");
            rig.send(1, "b", "bad");
            FlowRig.Member member = rig.start(
                    flow -> flow,
                    pipeline -> pipeline.node("shop-1")
                            .policies(FlowRig.retryAfter(SHORT))
                            .on("order.paid", event -> {
                                opened.await();
                                if (event.text().equals("bad")) {
                                    throw new IOException("no such order");
                                }
                            }));
            FlowRig.until(() -> rig.reported().lag() == 2);
            assertThat(rig.reportedFlow().isCurrent(Instant.now())).isTrue();
            assertThat(rig.reportedFlow().node()).isEqualTo("shop-1");
            assertThat(rig.reportedFlow().report().group()).isEqualTo(rig.group);
            assertThat(rig.reportedFlow().report().sources()).isEqualTo(rig.topic);
            assertThat(rig.reportedFlow().report().partitions())
                    .extracting(PartitionReport::partition)
                    .containsExactlyInAnyOrder(0, 1);
            opened.countDown();
            FlowRig.until(() -> rig.reported().lag() == 0);
            assertThat(rig.reported().names()).containsExactly("order.paid");
            assertThat(rig.reported().partitions()).isEqualTo(2);
            assertThat(rig.reportedFlow().report().brake().rows()).isEqualTo(1);
            assertThat(rig.letters()).hasSize(1);
            member.close();
            assertThat(rig.reportedFlow().hasStopped()).isTrue();
        }
    }

    @Test
    void a_dead_letter_keeps_the_whole_record_and_can_be_redriven() throws Exception {
        try (FlowRig rig = rig(1)) {
            byte[] binary = {0, (byte) 0xC3, (byte) 0x28, 5};
            ProducerRecord<byte[], byte[]> tombstone = new ProducerRecord<>(rig.topic, 0, binary, null);
            tombstone.headers().add("twice", FlowRig.bytes("one"));
            tombstone.headers().add("twice", FlowRig.bytes("two"));
            tombstone.headers().add("null", null);
            tombstone.headers().add("binary", binary);
            rig.broker.send(tombstone);
            Queue<KafkaRecord> redriven = new ConcurrentLinkedQueue<>();
            rig.start(
                    flow -> flow,
                    pipeline -> pipeline.on("order.paid", (event, context) -> {
                                if (context.redrives() == 0) {
                                    throw new IllegalStateException("no such order");
                                }
                                redriven.add(KafkaRecord.of(event).orElseThrow());
                            })
                            .policies(FlowRig.retryAfter(SHORT)));
            rig.awaitNoLag();
            FlowRig.until(() -> rig.letters().size() == 1);
            DeadLetter letter =
                    rig.store.deadLetters().find(rig.letters().get(0).id()).orElseThrow();
            assertThat(letter.reason()).isEqualTo(Reason.MAX_ATTEMPTS_EXCEEDED);
            assertThat(letter.attempts().failed()).isEqualTo(3);
            assertThat(letter.history()).hasSize(3);
            rig.store.deadLetters().redrive(new RedriveRequest(LetterFilter.ALL, 1, "b", "ann", false, Instant.now()));
            FlowRig.until(() -> redriven.size() == 1);
            KafkaRecord record = redriven.remove();
            assertThat(record.value()).isEmpty();
            assertThat(record.key().orElseThrow()).isEqualTo(binary);
            assertThat(record.headers())
                    .extracting(KafkaRecord.Header::name)
                    .containsExactly("twice", "twice", "null", "binary");
            assertThat(record.headers().get(0).text()).contains("one");
            assertThat(record.headers().get(2).value()).isEmpty();
            assertThat(record.headers().get(3).value().orElseThrow()).isEqualTo(binary);
            assertThat(record.place()).isEqualTo(rig.topic + "/0@0");
        }
    }

    @Test
    void records_of_a_key_stay_in_order_while_one_of_them_waits_in_the_store() throws Exception {
        try (FlowRig rig = rig(2)) {
            Map<String, Queue<Integer>> handled = new ConcurrentHashMap<>();
            Set<String> failedOnce = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 400; i++) {
                rig.send(i % 2, "key" + i % 10, Integer.toString(i));
            }
            // Records of two keys wait in the store, more than a partition may have open.
            rig.start(
                    flow -> flow.orderedByKey().maxRecords(30),
                    pipeline -> pipeline.policies(FlowRig.retryAfter(LONG)).on("order.paid", event -> {
                        int number = Integer.parseInt(event.text());
                        String key = "key" + number % 10;
                        if (number >= 100 && number % 10 < 2 && failedOnce.add(key)) {
                            throw new IOException("once for each key");
                        }
                        handled.computeIfAbsent(key, unused -> new ConcurrentLinkedQueue<>())
                                .add(number);
                    }));
            rig.awaitNoLag();
            FlowRig.until(() -> handled.values().stream().mapToInt(Queue::size).sum() == 400);
            assertThat(failedOnce).hasSize(2);
            handled.forEach(
                    (key, numbers) -> assertThat(List.copyOf(numbers)).as(key).isSorted());
        }
    }

    @Test
    void a_second_member_takes_partitions_over_without_losing_a_record() throws Exception {
        try (FlowRig rig = rig(4)) {
            Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();
            FlowRig.Member first = rig.start(
                    flow -> flow,
                    pipeline -> pipeline.node("first").handle("order.paid", event -> handle(handled, event.text())));
            for (int i = 0; i < 2_000; i++) {
                rig.send(i % 4, null, (i % 50 == 0 ? "bad-" : "good-") + i);
            }
            rig.broker.flush();
            FlowRig.until(() -> handled.size() > 100);
            FlowRig.Member second = rig.start(
                    flow -> flow,
                    pipeline -> pipeline.node("second").handle("order.paid", event -> handle(handled, event.text())));
            FlowRig.until(() -> second.flow().partitions().size() == 2);
            for (int i = 2_000; i < 3_000; i++) {
                rig.send(i % 4, null, (i % 50 == 0 ? "bad-" : "good-") + i);
            }
            rig.broker.flush();
            first.close();
            rig.awaitNoLag();
            FlowRig.until(() -> rig.letters().size() == 60);
            assertThat(handled).hasSize(3_000);
            assertThat(rig.letters())
                    .extracting(letter -> letter.event().text())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void an_offset_set_back_by_an_operator_is_obeyed_and_a_restart_repeats_nothing() throws Exception {
        try (FlowRig rig = rig(1)) {
            Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();
            for (int i = 0; i < 10; i++) {
                rig.send(0, null, (i == 7 ? "bad-" : "good-") + i);
            }
            run(rig, handled);
            assertThat(rig.letters()).hasSize(1);
            run(rig, handled);
            assertThat(handled.values()).allMatch(times -> times.get() == 1);
            rig.broker.reset(rig.group, new TopicPartition(rig.topic, 0), 5);
            run(rig, handled);
            assertThat(handled.get("good-4").get()).isEqualTo(1);
            assertThat(handled.get("good-5").get()).isEqualTo(2);
            assertThat(handled.get("bad-7").get()).isEqualTo(2);
            assertThat(rig.letters()).hasSize(2);
        }
    }

    static Outcome handle(Map<String, AtomicInteger> handled, String text) {
        handled.computeIfAbsent(text, unused -> new AtomicInteger()).incrementAndGet();
        return text.startsWith("bad") ? Outcome.dead("bad record") : Outcome.done();
    }

    private static void run(FlowRig rig, Map<String, AtomicInteger> handled) {
        try (FlowRig.Member member = rig.start(
                flow -> flow, pipeline -> pipeline.handle("order.paid", event -> handle(handled, event.text())))) {
            FlowRig.until(() -> member.flow().partitions().size() == 1);
            rig.awaitNoLag();
        }
    }
}
