package io.redrive.pipeline;

import static io.redrive.pipeline.StoreModel.check;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryPolicy;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.Priority;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRequest;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityPeriod;
import io.redrive.events.activity.ActivityQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * One random life of a store and the processes that work on it, all on one thread and with a clock that only the
 * simulation moves, so that a seed always gives the same run. Processes are stepped in random order, publish, stall,
 * crash, stop and start again; some events end the process of their handler; calls to the store get lost; the clock jumps; a
 * process may lack handlers for some names; operators redrive, edit and purge, at once or by operations that nodes carry on; pause names and resume them. At the end all
 * faults are over, and every accepted event has to end.
 */
final class Simulation {

    private static final int ACTIONS = 160;
    private static final int MAX_NODES = 2;
    private static final int MAX_JUMPS = 3;
    private static final int PATIENCE = 4_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String INVALID = "invalid";
    private static final String DEADLY = "deadly";
    private static final List<String> PAUSABLE = List.of("*", "single.*", "single.a", "batch.*", "batch.b");

    final ManualTime time = new ManualTime();
    private final Instant began = time.now();
    final InMemoryEventStore store = new InMemoryEventStore();
    final StoreModel model = new StoreModel(store);
    final Profile profile;
    final EventPolicies policies;
    final boolean hasBudget;
    double faults;

    private final SplittableRandom random;
    private final SimulatedHandlers handlers;
    private final boolean doomed;
    /** Handlers are slow while all else works: leases have to be extended. */
    private final boolean calm;

    /** Nodes claim events while they are published. */
    final boolean immediate;

    /** The share of events that end their process. */
    private final double deadly;

    private final List<SimulatedNode> all = new ArrayList<>();
    private final List<SimulatedNode> alive = new ArrayList<>();
    private final List<Event> published = new ArrayList<>();
    private final List<String> trace;
    private SimulatedNode stalled;
    private int jumps;
    private boolean ending;
    private boolean hasPaused;
    private AssertionError broken;

    Simulation(long seed, List<String> trace) {
        this.trace = trace;
        random = new SplittableRandom(seed);
        hasBudget = chance(0.2);
        doomed = chance(0.1);
        calm = chance(0.2);
        immediate = chance(0.5);
        deadly = calm || chance(0.5) ? 0 : 0.04;
        faults = calm || chance(0.3) ? 0 : random.nextDouble() * 0.15;
        profile = new Profile(
                Duration.ofSeconds(1),
                1 + random.nextInt(4),
                2,
                1,
                3,
                new BatcherSettings(1, 2, Duration.ofMillis(500)),
                new BatcherSettings(2, 3, Duration.ofSeconds(2)),
                Duration.ofSeconds(25),
                Duration.ofSeconds(20),
                1 + random.nextInt(5),
                1 + random.nextInt(3));
        policies = EventPolicies.defaults()
                .with("*", randomPolicy())
                .with("single.a", randomPolicy())
                .with("batch.*", randomPolicy());
        handlers = new SimulatedHandlers(this, random, doomed);
    }

    private RetryPolicy randomPolicy() {
        List<Backoff> backoffs = List.of(
                Backoff.none(),
                Backoff.fixed(Duration.ofMillis(700)),
                Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(10)));
        RetryPolicy.Builder policy = RetryPolicy.builder()
                .maxAttempts(1 + random.nextInt(4))
                .backoff(backoffs.get(random.nextInt(backoffs.size())))
                .jitter(chance(0.5) ? Jitter.none() : Jitter.full())
                .doNotRetryOn(IllegalArgumentException.class);
        return chance(0.3)
                ? policy.maxDuration(Duration.ofSeconds(3 + random.nextInt(20))).build()
                : policy.build();
    }

    void run() {
        start(Handling.some(random));
        for (int i = 0; i < ACTIONS; i++) {
            act();
            requireUnbroken();
            if (i % 8 == 0) {
                model.compare(time.now());
            }
        }
        end();
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    void broken(AssertionError rule) {
        broken = broken == null ? rule : broken;
    }

    private void requireUnbroken() {
        if (broken != null) {
            throw broken;
        }
    }

    boolean isEnding() {
        return ending;
    }

    void trace(Object... what) {
        if (trace != null) {
            trace.add(time.now() + " " + Arrays.deepToString(what));
        }
    }

    private void act() {
        int action = random.nextInt(100);
        if (action < 16) {
            publish(someEvents());
        } else if (action < 60) {
            step();
        } else if (action < 80) {
            work();
        } else if (action < 90) {
            advance(someTime());
        } else if (action < 93) {
            publishAgain();
        } else if (action < 96) {
            operate();
        } else {
            disturb();
        }
    }

    private Duration someTime() {
        boolean little = calm || chance(0.85);
        return Duration.ofMillis(little ? random.nextInt(calm ? 4_000 : 1_500) : 5_000 + random.nextInt(35_000));
    }

    /** Which names a node has handlers for. */
    private enum Handling {
        SINGLE,
        BATCH,
        BOTH,
        EVERYTHING;

        static Handling some(SplittableRandom random) {
            return random.nextInt(10) < 6 ? BOTH : random.nextInt(2) == 0 ? SINGLE : BATCH;
        }
    }

    private void start(Handling handling) {
        if (alive.size() == MAX_NODES && handling != Handling.EVERYTHING) {
            return;
        }
        SimulatedNode node = new SimulatedNode("node-" + (all.size() + 1), this);
        Pipeline.Builder builder = Pipeline.on(node)
                .executor(node.tasks)
                .exchangeExecutor(node::send)
                .time(time)
                .random(random.split())
                .node(node.name)
                .profile(profile)
                .policies(policies)
                .listener(node.heard)
                .validate("*", event -> {
                    if (event.text().equals(INVALID)) {
                        throw new IllegalArgumentException("invalid");
                    }
                });
        if (handling != Handling.BATCH) {
            builder.handle("single.*", event -> handlers.one(node, event));
        }
        if (handling != Handling.SINGLE) {
            builder.onBatch("batch.*", batch -> handlers.batch(node, batch));
        }
        if (handling == Handling.EVERYTHING) {
            builder.handle("*", event -> handlers.one(node, event));
        }
        if (immediate) {
            builder.claimingImmediately();
        }
        node.pipeline = (hasBudget ? builder.budget("*", node.budget) : builder).build();
        node.handlesAll = handling == Handling.EVERYTHING;
        all.add(node);
        alive.add(node);
        trace("start", node, handling);
    }

    private List<Event> someEvents() {
        List<Event> events = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            events.add(someEvent());
        }
        return events;
    }

    private Event someEvent() {
        List<String> names = doomed
                ? List.of("single.b", "single.b", "single.b", "batch.a")
                : List.of("single.a", "single.b", "batch.a", "batch.b");
        String name = chance(0.02) ? "other.x" : names.get(random.nextInt(names.size()));
        Duration delay = chance(0.2) ? Duration.ofMillis(random.nextInt(5_000)) : Duration.ZERO;
        Event.Builder event = Event.named(name)
                .id("e" + published.size() + "-" + random.nextInt(1_000_000))
                .correlationId("c")
                .source("s" + random.nextInt(2))
                .priority(Priority.values()[random.nextInt(4)])
                .created(time.now())
                .delay(delay)
                .text(chance(0.02) ? INVALID : chance(deadly) ? DEADLY : "valid");
        if (chance(0.4)) {
            event.orderingKey("k" + random.nextInt(3));
        }
        if (chance(0.15)) {
            event.deadline(time.now().plus(delay).plusMillis(1 + random.nextInt(30_000)));
        }
        Event built = event.build();
        published.add(built);
        return built;
    }

    /** Returns true for an event that ends the process of its handler, each time. */
    static boolean isDeadly(Event event) {
        return event.text().equals(DEADLY);
    }

    static boolean isValid(Event event) {
        return !event.text().equals(INVALID);
    }

    /** Publishes like a careful caller: repeats the call until there is an answer. */
    private void publish(List<Event> events) {
        trace("publish", events);
        for (SimulatedNode node = someNode(); node != null && node.isAlive(); node = someNode()) {
            try {
                node.pipeline.publish(events);
                return;
            } catch (SimulatedNode.Fault e) {
                trace("publish again");
            }
        }
        model.published(events, store.publish(events, time.now()));
    }

    private void publishAgain() {
        if (!published.isEmpty()) {
            publish(List.of(published.get(random.nextInt(published.size()))));
        }
    }

    private SimulatedNode someNode() {
        return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
    }

    private void step() {
        SimulatedNode node = someNode();
        if (node == null) {
            start(Handling.some(random));
        } else if (node != stalled) {
            node.step();
        }
    }

    private void work() {
        SimulatedNode node = someNode();
        boolean busy = calm && chance(0.8);
        if (node != null && node != stalled && !busy && !node.tasks.waiting.isEmpty()) {
            node.tasks.runNext();
        }
    }

    void advance(Duration by) {
        all.forEach(SimulatedNode::deliver);
        time.advance(by);
    }

    /** The process has crashed; its claims stay claimed. */
    void crash(SimulatedNode node) {
        trace("crash", node);
        node.dead = true;
        node.heldAtDeath = model.heldBy(node);
        alive.remove(node);
    }

    private void disturb() {
        SimulatedNode node = someNode();
        int kind = random.nextInt(10);
        if (kind < 3 && node != null) {
            crash(node);
        } else if (kind < 4 && node != null) {
            trace("stop", node);
            alive.remove(node);
            node.stop();
        } else if (kind < 6) {
            stalled = stalled == null ? node : null;
            trace("stalled", stalled);
        } else if (kind < 7 && jumps++ < MAX_JUMPS) {
            all.forEach(SimulatedNode::deliver);
            time.jump(chance(0.5) ? HOUR : HOUR.negated());
            trace("the clock jumped");
            all.forEach(SimulatedNode::jumped);
        } else {
            start(Handling.some(random));
        }
    }

    /** Pauses a name or a pattern, for a while or without an end, or resumes one. */
    private void pauseOrResume() {
        Instant now = time.now();
        NamePattern pattern = new NamePattern(PAUSABLE.get(random.nextInt(PAUSABLE.size())));
        Optional<Instant> end =
                chance(0.5) ? Optional.of(now.plusMillis(1 + random.nextInt(20_000))) : Optional.empty();
        if (chance(0.6)) {
            trace("pause", pattern, end);
            hasPaused = true;
            new HandPauses(store.notes()).pause(new NamePause.ByHand(pattern, "ann", "by chance", now, end));
        } else {
            trace("resume", pattern);
            new HandPauses(store.notes()).resume(pattern, now);
        }
    }

    /** Returns true once an operator has paused a name. */
    boolean hasPaused() {
        return hasPaused;
    }

    private void operate() {
        if (chance(0.4)) {
            pauseOrResume();
            return;
        }
        List<String> redrives = model.redrives.ids();
        if (!redrives.isEmpty() && chance(0.3)) {
            change(redrives.get(random.nextInt(redrives.size())));
            return;
        }
        List<DeadLetter> letters = new ArrayList<>(model.letters());
        if (letters.isEmpty()) {
            return;
        }
        List<DeadLetter> chosen = letters.subList(0, 1 + random.nextInt(letters.size()));
        DeadLetter one = letters.get(random.nextInt(letters.size()));
        Instant now = time.now();
        int kind = random.nextInt(10);
        trace("operator", kind, kind < 7 ? chosen : one);
        if (kind < 4) {
            model.redrives.order(chosen, somePlan(), now);
        } else if (kind < 7) {
            List<Long> ids = chosen.stream().map(DeadLetter::id).toList();
            LetterFilter filter = LetterFilter.ofIds(ids);
            model.redrive(new RedriveRequest(filter, 1_000, "b" + ids.get(0) + " " + now, "ann", false, now));
        } else if (kind < 9) {
            model.edit(one, ("edited at " + now).getBytes(StandardCharsets.UTF_8), "bob", now);
        } else {
            model.purge(one, "eve", now);
        }
        model.compareLetters();
    }

    private RedrivePlan somePlan() {
        RedrivePlan plan = chance(0.5)
                ? RedrivePlan.ALL_AT_ONCE
                : new RedrivePlan(List.of(1, 2), 0, Duration.ofSeconds(1 + random.nextInt(60)), Long.MAX_VALUE);
        return chance(0.3) ? plan.withPerSecond(0.2 + random.nextDouble() * 20) : plan;
    }

    private void change(String redrive) {
        List<RedriveChange> changes = List.of(
                RedriveChange.PAUSE,
                RedriveChange.PAUSE,
                RedriveChange.RESUME,
                RedriveChange.RESUME,
                RedriveChange.CANCEL);
        RedriveChange change = changes.get(random.nextInt(changes.size()));
        trace("operator", change, redrive);
        model.redrives.change(redrive, change, time.now());
    }

    /** All faults are over: every accepted event has to end, and none may be left behind. */
    private void end() {
        trace("the trouble is over");
        ending = true;
        faults = 0;
        stalled = null;
        PAUSABLE.forEach(pattern -> new HandPauses(store.notes()).resume(new NamePattern(pattern), time.now()));
        // The first node with a handler for the event without handlers on further nodes.
        start(Handling.EVERYTHING);
        for (int i = 0; !model.open().isEmpty() || model.redrives.hasWork(); i++) {
            check(
                    i < PATIENCE,
                    "everything accepted ends at last",
                    model.open(),
                    store.redrives().list(1_000));
            if (alive.stream().noneMatch(node -> node.handlesAll)) {
                start(Handling.EVERYTHING);
            }
            for (SimulatedNode node : List.copyOf(alive)) {
                node.step();
                node.tasks.runAll();
                node.budget.firstAttempt();
            }
            requireUnbroken();
            advance(untilSomethingIsDue());
        }
        alive.forEach(SimulatedNode::stop);
        model.compare(time.now());
        model.compareLetters();
        model.redrives.compare();
        all.forEach(SimulatedNode::compareAnnouncements);
        for (ActivityPeriod period : ActivityPeriod.values()) {
            compareActivity(period);
        }
        requireUnbroken();
        for (StoreModel.Row row : model.rows()) {
            check(row.state != StoreModel.State.DONE || row.successes > 0, "done means that a handler said so", row);
            check(row.handled <= row.claims, "handlers see an event once for each claim", row, row.handled, row.claims);
        }
    }

    /** The store counts each end of an event once, except ends that a crashed process had not written. */
    private void compareActivity(ActivityPeriod period) {
        Duration margin = HOUR.multipliedBy(2L * MAX_JUMPS);
        ActivityCounts counts = store.activity()
                .read(new ActivityQuery(
                        period, period.startOf(began.minus(margin)), time.now().plus(margin)))
                .total()
                .counts();
        compareCount("done", counts.done(), node -> node.heard.done.size());
        compareCount("retried", counts.retried(), node -> node.heard.retries.size());
        compareCount("dead", counts.dead(), node -> node.heard.dead.size());
    }

    private void compareCount(String what, long counted, ToLongFunction<SimulatedNode> heard) {
        long most = all.stream().mapToLong(heard).sum();
        long least =
                all.stream().filter(node -> node.hasWrittenAll).mapToLong(heard).sum();
        check(counted >= least && counted <= most, "each end is counted once", what, counted, least, most);
    }

    private Duration untilSomethingIsDue() {
        Instant now = time.now();
        return model.open().stream()
                .filter(model::isFirstOfItsKey)
                .map(row -> Duration.between(now, row.state == StoreModel.State.CLAIMED ? row.leaseEnd : row.due))
                .min(Duration::compareTo)
                .filter(wait -> wait.compareTo(profile.poll()) > 0)
                .orElse(profile.poll());
    }
}
