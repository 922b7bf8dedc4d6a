package io.redrive.cli;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.HandledEvent;
import io.redrive.events.Lane;
import io.redrive.events.NamePattern;
import io.redrive.events.RedrivePlan;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityReport;
import io.redrive.events.activity.ActivityTotals;
import io.redrive.events.activity.DurationHistogram;
import io.redrive.events.activity.NameActivity;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteRunStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Writes a SQLite store that has something to show for every command. */
final class PreparedStore {

    private final EventStore store;
    private final ManualTime time;
    private final Operations operations;

    private PreparedStore(EventStore store, Instant now) {
        this.store = store;
        time = new ManualTime(now);
        operations = Operations.of(store, new Operator("ann", Role.ADMIN, "command line"), time);
    }

    /** Writes the store; all times lie some hours before {@code now}. */
    static void write(Path file, Instant now) {
        SqliteOptions options = SqliteOptions.DEFAULT.withJournal(Duration.ofHours(24));
        try (EventStore store = SqliteStore.open(file, options)) {
            PreparedStore prepared =
                    new PreparedStore(store, now.minus(Duration.ofHours(2)).truncatedTo(ChronoUnit.HOURS));
            prepared.letters();
            prepared.finished();
            prepared.waiting();
            prepared.care();
            prepared.activity(now);
            prepared.flow(now);
        }
        try (RunStore runs = SqliteRunStore.open(file)) {
            run(runs, new ManualTime(now.truncatedTo(ChronoUnit.SECONDS)));
        }
    }

    /** Notes the flow of a node whose clock is ahead, so that its report is never stale. */
    private void flow(Instant now) {
        String at = now.plus(Duration.ofDays(1)).toString();
        store.notes()
                .write(Note.first(
                        "flow",
                        "a",
                        "flow\tshop-1\tbilling\torders\t" + at + "\truns\tyes\t7\t100000\t3\t12\n"
                                + "topic\torders\t300\t1204\t2003\t3\t1\t2\tyes\torder.paid mail.sent\n"
                                + "partition\t0\t7\t1200\t2000\t3\t1\tbrake\n"
                                + "partition\t0\t8\t4\t3\t0\t0\tno\n"));
    }

    /** Runs a pipeline of two stages over four samples, of which two die; no attempt takes any time. */
    private static void run(RunStore runs, ManualTime time) {
        ItemPipeline<String, String> pipeline = ItemPipeline.named("articles", Codec.text())
                .stage(Stage.map("clean", String::strip))
                .stage(Stage.<String>map("summarize", text -> summary(text)).policy(RetryPolicy.noRetry()))
                .build();
        Run run = Run.of(pipeline, runs)
                .id("articles")
                .origin("a test")
                .from(SampleSource.of(List.of("one", "two", "three", "four"), text -> "s-" + text.length() + text))
                .to(Sink.none())
                .executor(Runnable::run)
                .time(time)
                .build();
        run.drain();
        run.close();
    }

    private static String summary(String text) {
        if (text.startsWith("t")) {
            throw new IllegalStateException("no summary of " + text);
        }
        return text + "!";
    }

    private void letters() {
        for (int i = 1; i <= 12; i++) {
            dead("l-" + i, "order.paid", "{\"currency\":\"XBT\",\"total\":" + i + ".50}", "IOException", "refused");
        }
        dead("text-1", "mail.sent", "{\"to\":\"ann\u00e9 <a@b>\"}", "Timeout", "no answer\nwithin 3 s \u001b[2J");
        store.samples()
                .add(IntStream.range(0, 400)
                        .mapToObj(i -> HandledEvent.of(
                                Event.named("order.paid")
                                        .id("h-" + i)
                                        .source("shop")
                                        .time(time)
                                        .json("{\"currency\":\"EUR\",\"total\":" + i * 7919 % 1000 + "}")
                                        .build(),
                                time.now().minusSeconds(i % 40),
                                "n1",
                                Optional.of(new ServiceVersion("2.4"))))
                        .toList());
    }

    private void dead(String id, String name, String payload, String errorType, String message) {
        store.publish(
                List.of(Event.named(name)
                        .id(id)
                        .source("shop")
                        .correlationId("order-17")
                        .header("trace", "t-" + id)
                        .time(time)
                        .json(payload)
                        .build()),
                time.now());
        Duration delay = Duration.ofSeconds(1);
        AttemptRecord failed = attempt(1, errorType, message, "retry", "in 1s");
        store.settle(List.of(new Settlement.Retry(claim(), time.now().plus(delay), delay, failed)), time.now());
        time.advance(delay);
        AttemptRecord last = attempt(2, errorType, message, "dead", Reason.MAX_ATTEMPTS_EXCEEDED.code());
        store.settle(
                List.of(new Settlement.Dead(
                        claim(), Reason.MAX_ATTEMPTS_EXCEEDED, last, Fingerprint.of(errorType, message), "shop")),
                time.now());
    }

    private Claim claim() {
        return store.claim(new ClaimRequest("n1", Lane.DOMAIN, 1, false, Duration.ofMinutes(1), time.now()))
                .get(0);
    }

    private AttemptRecord attempt(int number, String errorType, String message, String decision, String why) {
        Duration took = Duration.ofNanos(120_345_000);
        return new AttemptRecord(number, time.now(), "n1", took, errorType, message, decision, why);
    }

    private void finished() {
        store.publish(
                List.of(Event.named("order.placed")
                        .id("done-1")
                        .source("shop")
                        .correlationId("order-17")
                        .time(time)
                        .build()),
                time.now());
        store.settle(
                List.of(new Settlement.Retry(
                        claim(),
                        time.now().plusSeconds(1),
                        Duration.ofSeconds(1),
                        attempt(1, "IOException", "reset", "retry", "in 1s"))),
                time.now());
        time.advance(Duration.ofSeconds(1));
        store.settle(List.of(new Settlement.Done(claim(), "n1", Duration.ofMillis(7))), time.now());
    }

    private void waiting() {
        store.publish(
                List.of(
                        Event.named("mail.later")
                                .id("later-1")
                                .source("shop")
                                .time(time)
                                .delay(Duration.ofDays(3))
                                .build(),
                        Event.named("mail.later")
                                .id("later-2")
                                .source("shop")
                                .correlationId("order-18")
                                .orderingKey("k")
                                .time(time)
                                .delay(Duration.ofDays(4))
                                .build()),
                time.now());
    }

    private void care() {
        operations.pauses().pause(new NamePattern("invoice.*"), "deploy", Optional.empty());
        operations
                .pauses()
                .pause(
                        new NamePattern("audit.*"),
                        "audit",
                        Optional.of(time.now().plus(Duration.ofDays(2))));
        String cause = Fingerprint.of("Timeout", "no answer\nwithin 3 s \u001b[2J");
        operations.causes().assign(cause, "bob");
        operations.causes().note(cause, "ask the mail people\nagain");
        operations.causes().resolve(cause, Optional.of(new ServiceVersion("2.5")));
        operations.letters().edit(3, "{\"currency\":\"BTC\",\"total\":3.50}".getBytes(StandardCharsets.UTF_8));
        LetterSelection two = LetterSelection.ofIds(List.of(11L, 12L));
        String operation =
                operations.redrives().preview(two, RedrivePlan.CANARY).id();
        operations.redrives().cancel(operation);
        operations
                .tokens()
                .create("shop", Role.PUBLISHER, List.of(new NamePattern("order.*")), Optional.of(Duration.ofDays(90)));
        operations.proposals().redrive(LetterSelection.ofIds(List.of(8L, 9L)), RedrivePlan.CANARY, "the bank is back");
        operations
                .proposals()
                .repair(
                        LetterSelection.ofIds(List.of(10L)),
                        RepairExpression.compile("$ ~> |$|{\"currency\":\"BTC\"}|"),
                        "the wrong currency");
        operations.proposals().resolve(cause, Optional.of(new ServiceVersion("2.6")), "see the notes");
        operations.policies().change(new NamePattern("order.*"), Map.of("max-attempts", "7"));
    }

    private void activity(Instant now) {
        Instant minute = ActivityPeriod.MINUTE.startOf(now.minus(Duration.ofMinutes(20)));
        for (int i = 0; i < 10; i++) {
            ActivityTotals totals = new ActivityTotals(
                    new ActivityCounts(20, 1, 18 + i, 2, 1, 3, 1),
                    DurationHistogram.of(Duration.ofMillis(10 + i), Duration.ofMillis(45)),
                    DurationHistogram.of(Duration.ofMillis(100), Duration.ofSeconds(2)));
            store.activity()
                    .write(new ActivityReport(
                            "n1",
                            minute.plus(Duration.ofMinutes(i)),
                            List.of(new NameActivity("order.paid", totals)),
                            List.of(new NameActivity("order.paid", totals))));
        }
    }
}
