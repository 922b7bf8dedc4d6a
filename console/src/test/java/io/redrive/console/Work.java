package io.redrive.console;

import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.SharedNotes.Note;
import io.redrive.items.Codec;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.InMemoryRunStore;
import io.redrive.items.store.RunStore;
import io.redrive.pipeline.Pipeline;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Item runs that have ended or stopped, a chain of events, and events behind each other. */
final class Work {

    static final String RUN = "summaries-march";
    static final String STOPPED = "summaries-april";
    static final String CHAIN = "chain-17";
    static final String LONG_CHAIN = "order-4711";
    static final String KEY = "customer-17";

    private Work() {}

    /** Returns a store with a run that has dead samples, and one that stopped before its end, above its failure budget. */
    static RunStore runs() {
        return runs("");
    }

    /** {@link #runs()} whose every text has this ending. */
    static RunStore runs(String ending) {
        RunStore store = new InMemoryRunStore();
        Run.of(pipeline(ending), store)
                .id(RUN)
                .origin("test" + ending)
                .from(SampleSource.of(IntStream.range(0, 40)
                        .mapToObj(
                                i -> "{\"article\": " + i + ", \"text\": \"a" + (i % 10 == 3 ? " broken" : "") + "\"}")
                        .toList()))
                .to(Sink.each(result -> {}))
                .run();
        Run april = Run.of(pipeline(ending), store)
                .id(STOPPED)
                .executor(Runnable::run)
                .from(SampleSource.of(IntStream.range(0, 900)
                        .mapToObj(i -> "{\"article\": " + i + ", \"text\": \"a" + (i % 4 == 0 ? " broken" : "") + "\"}")
                        .toList()))
                .to(Sink.each(result -> {}))
                .build();
        april.drain();
        april.close();
        return store;
    }

    private static ItemPipeline<String, String> pipeline(String ending) {
        return ItemPipeline.named("summaries", Codec.text())
                .stage(Stage.map("clean", String::strip))
                .stage(Stage.<String>map("summarize", text -> {
                            if (text.contains("broken")) {
                                throw new IOException("the model refused the text" + ending);
                            }
                            return text;
                        })
                        .policy(Presets.STAGE.toBuilder().maxAttempts(1).build()))
                .withoutEarlyStop()
                .failureBudget(new FailureBudget(0.20, 50))
                .build();
    }

    /** Publishes two events of one chain, and three of one key of which the first waits for an hour. */
    static void events(EventStore store, Instant now) {
        store.publish(
                List.of(
                        event("ship.packed", "packed-17", now)
                                .correlationId(CHAIN)
                                .build(),
                        event("ship.sent", "sent-17", now).correlationId(CHAIN).build(),
                        event("stock.moved", "moved-1", now)
                                .orderingKey(KEY)
                                .due(now.plus(Duration.ofHours(1)))
                                .build(),
                        event("stock.moved", "moved-2", now).orderingKey(KEY).build(),
                        event("stock.moved", "moved-3", now).orderingKey(KEY).build()),
                now);
    }

    /** Notes the flows of two nodes, whose clocks are ahead so that their reports are never stale, and of one that died. */
    static void flows(EventStore store, Instant now) {
        Instant ahead = now.plus(Duration.ofMinutes(30));
        String head = "\tbilling\torders, refunds\t";
        flow(
                store,
                "flow\tshop-1" + head + ahead + "\truns\tyes\t1204\t100000\t0\t0\n"
                        + "topic\torders\t4\t48210\t8000\t1312\t17\t2\tno\torder.paid order.shipped\n"
                        + "topic\trefunds\t1\t0\t0\t0\t0\t0\tno\trefund.asked\n"
                        + "partition\t0\t0\t30111\t2000\t400\t12\tbrake\n"
                        + "partition\t0\t1\t18000\t2000\t912\t5\tback_pressure\n"
                        + "partition\t0\t2\t60\t60\t0\t0\tno\n"
                        + "partition\t0\t3\t39\t39\t0\t0\tno\n"
                        + "partition\t1\t0\t0\t0\t0\t0\tno\n");
        flow(
                store,
                "flow\tshop-2" + head + ahead + "\truns\tno\t12\t100000\t0\t0\n"
                        + "topic\torders\t2\t7\t7\t0\t0\t0\tno\torder.paid\n"
                        + "partition\t0\t4\t7\t7\t0\t0\tno\npartition\t0\t5\t0\t0\t0\t0\tno\n");
        flow(
                store,
                "flow\tshop-3" + head + now.minus(Duration.ofMinutes(9)) + "\truns\tno\t3\t100000\t0\t0\n"
                        + "topic\torders\t2\t900\t900\t0\t0\t0\tno\torder.paid\n");
    }

    private static void flow(EventStore store, String text) {
        store.notes().write(Note.first("flow", text.split("\t")[1], text));
    }

    /** Lets a chain of four events happen during the last minutes: one was saved by a retry, one is dead, one waits. */
    static void chain(EventStore store, Instant now) {
        ManualTime time = new ManualTime(now.minus(Duration.ofMinutes(4)));
        AtomicInteger calls = new AtomicInteger();
        try (Pipeline pipeline = Pipeline.on(store)
                .service("shop")
                .node("shop-4")
                .version("2.4.0")
                .time(time)
                .executor(Runnable::run)
                .on("pay.*", event -> {
                    time.advance(Duration.ofMillis(340));
                    if (calls.incrementAndGet() == 1) {
                        throw new IOException("bank answered 503");
                    }
                })
                .on("invoice.*", event -> {
                    time.advance(Duration.ofSeconds(2));
                    throw new IllegalStateException("order has no currency");
                })
                .on("order.*", event -> time.advance(Duration.ofMillis(34)))
                .build()) {
            for (String name : List.of("order.placed", "pay.captured", "invoice.sent")) {
                store.publish(List.of(link(name, time.now()).build()), time.now());
                for (int i = 0; i < 5; i++) {
                    pipeline.drain();
                    time.advance(Duration.ofSeconds(9));
                }
            }
            store.publish(
                    List.of(link("mail.thanks", time.now())
                            .due(now.plus(Duration.ofMinutes(57)))
                            .build()),
                    time.now());
        }
    }

    private static Event.Builder link(String name, Instant now) {
        return event(name, "o-4711-" + name, now).correlationId(LONG_CHAIN);
    }

    private static Event.Builder event(String name, String id, Instant now) {
        return Event.named(name).id(id).source("warehouse").created(now);
    }
}
