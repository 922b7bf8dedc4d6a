package io.redrive.cli.demo;

import io.redrive.cli.command.Version;
import io.redrive.cli.dlq.GroupTable;
import io.redrive.core.DurationText;
import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Publishes traffic through a pipeline on a store, then prints the dead letters and suggests commands. */
final class EventsDemo {

    private static final Duration TICK = Duration.ofMillis(100);
    /** How long the demo waits at the end for retries. */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(15);

    private static final Duration FOR_EVER = Duration.ofDays(365);
    private static final int MOST_AT_ONCE = 1_000;
    private static final int GROUPS_SHOWN = 8;

    private final EventStore store;
    private final Optional<DemoSite> site;
    private final DemoScreen screen;
    private final Time time;
    private final Settings settings;
    private final DemoBoard board = new DemoBoard(DemoTraffic.names());
    private final long began;

    /**
     * The options of the demo.
     *
     * @param store the address of the store, without its password
     * @param log the log file
     * @param length how long the demo publishes; empty until the user stops the demo
     * @param rate events published in a second
     * @param fixed true for handlers without bugs
     */
    record Settings(String store, Path log, Optional<Duration> length, int rate, boolean fixed) {}

    EventsDemo(EventStore store, Optional<DemoSite> site, DemoScreen screen, Time time, Settings settings) {
        this.store = store;
        this.site = site;
        this.screen = screen;
        this.time = time;
        this.settings = settings;
        began = time.nanos();
    }

    void run() {
        screen.title("Redrive " + Version.number() + ": "
                + (settings.rate() == 0 ? "handling events" : settings.rate() + " events a second")
                + settings.length()
                        .map(length -> " for " + DurationText.format(length))
                        .orElse(" until Ctrl-C"));
        screen.say("store " + settings.store() + ", log " + settings.log());
        site.ifPresent(each -> each.announce(screen, settings.store()));
        screen.say("");
        Pipeline.Builder builder = Pipeline.on(store).service("demo").listener(board);
        new DemoServices(time, settings.fixed()).attach(builder);
        screen.begin();
        boolean interrupted = false;
        try (Pipeline pipeline = builder.start()) {
            publish(pipeline);
            settle();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        screen.end(board, stats(), running());
        site.ifPresent(each -> each.tellEnd(screen));
        tellEnd(interrupted);
    }

    /** Publishes all events due by the clock, so the number of events does not depend on the machine. */
    private void publish(Pipeline pipeline) throws InterruptedException {
        DemoTraffic traffic = new DemoTraffic(time);
        long published = 0;
        Duration length = settings.length().orElse(FOR_EVER);
        boolean over = false;
        while (!over || published < dueBy(length)) {
            over = running().compareTo(length) >= 0;
            long due = dueBy(over ? length : running());
            List<Event> events = traffic.next((int) Math.min(MOST_AT_ONCE, due - published));
            if (!events.isEmpty()) {
                board.published(events, pipeline.publish(events));
            }
            published = Math.min(due, published + MOST_AT_ONCE);
            List<Event> shipments = site.isPresent() ? traffic.shipments() : List.of();
            if (!shipments.isEmpty()) {
                pipeline.publish(shipments);
            }
            tick();
        }
    }

    private long dueBy(Duration passed) {
        return passed.toMillis() * settings.rate() / 1_000;
    }

    /** Waits until all events have ended, so that the screen shows the end of each retry. */
    private void settle() throws InterruptedException {
        Duration until = running().plus(SETTLE_LIMIT);
        while (isBusy(stats()) && running().compareTo(until) < 0) {
            tick();
        }
    }

    private void tick() throws InterruptedException {
        screen.update(board, stats(), running());
        time.sleep(TICK);
    }

    private void tellEnd(boolean interrupted) {
        StoreStats stats = stats();
        screen.say("");
        if (interrupted) {
            screen.say("Stopped. Unfinished events are released; the next pipeline on this store handles them.");
        }
        if (isBusy(stats)) {
            screen.say("Still in the store: " + stats.ready() + " ready, " + stats.delayed() + " delayed, "
                    + stats.claimed() + " claimed.");
        }
        List<LetterGroup> groups = store.deadLetters().groups(LetterFilter.ALL, GROUPS_SHOWN);
        if (groups.isEmpty()) {
            screen.say("No dead letters.");
            return;
        }
        screen.title("Dead letters by cause");
        screen.say(GroupTable.of(groups, time.now()));
        screen.say("");
        tellNext(groups.get(0));
    }

    private void tellNext(LetterGroup largest) {
        String on = " --store " + settings.store();
        List<DeadLetter> first =
                store.deadLetters().list(LetterFilter.ALL.withFingerprint(largest.fingerprint()), 0, 1);
        screen.title("Next");
        screen.say("  ./redrive dlq groups" + on);
        first.forEach(letter -> screen.say("  ./redrive dlq show " + letter.id() + on));
        screen.say(
                "repair the handlers (here: --fixed) and let them run, then bring letters back from another terminal:");
        screen.say("  ./redrive demo --no-server --rate 0 --fixed --seconds 120" + on);
        screen.say("  ./redrive dlq redrive --canary --fingerprint " + largest.fingerprint() + on);
    }

    private StoreStats stats() {
        return store.stats(time.now());
    }

    private Duration running() {
        return Duration.ofNanos(time.nanos() - began);
    }

    private static boolean isBusy(StoreStats stats) {
        return stats.ready() + stats.delayed() + stats.claimed() > 0;
    }
}
