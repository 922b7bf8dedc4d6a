package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.StoreOpener;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.cli.terminal.Terminal;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.items.store.RunStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An in-memory store of dead letters, and commands on this store. */
final class LetterDesk implements StoreOpener {

    final ManualTime time = new ManualTime();
    final EventStore store;
    private Terminal terminal = new NoTerminal();
    private String input = "";
    private @Nullable String address = "orders.db";
    private Map<String, String> environment = Map.of();

    LetterDesk() {
        this(new InMemoryEventStore());
    }

    private LetterDesk(EventStore store) {
        this.store = store;
    }

    /** A desk whose store remembers finished events. */
    static LetterDesk withJournal() {
        return new LetterDesk(InMemoryEventStore.withJournal(Duration.ofHours(24)));
    }

    @Override
    public EventStore open(String address) {
        return store;
    }

    @Override
    public EventStore create(String address) {
        return store;
    }

    @Override
    public RunStore openRuns(String address) {
        throw new AssertionError("nobody asks for runs here");
    }

    @Override
    public RunStore createRuns(String address) {
        throw new AssertionError("nobody asks for runs here");
    }

    LetterDesk at(Terminal other) {
        terminal = other;
        return this;
    }

    LetterDesk input(String text) {
        input = text;
        return this;
    }

    /** Names the store by this address. */
    LetterDesk address(String other) {
        address = other;
        return this;
    }

    /** Names the store by a variable instead of an option. */
    LetterDesk environment(Map<String, String> variables) {
        environment = variables;
        address = null;
        return this;
    }

    Ran run(String command, String... args) {
        List<String> all = new ArrayList<>(List.of(command.split(" ")));
        all.addAll(List.of(args));
        if (address != null) {
            all.addAll(List.of("--store", address));
        }
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        return Ran.redrive(new Context(time, this, terminal, in, environment), all.toArray(String[]::new));
    }

    List<DeadLetter> letters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, 1_000);
    }

    /** A letter with two failed attempts, the second a second after the first. */
    long dead(String name, String payload, Reason reason, String errorType, String message) {
        return dead(event -> event.json(payload), name, reason, errorType, message);
    }

    long dead(String name) {
        return dead(name, "{\"total\":12}", Reason.MAX_ATTEMPTS_EXCEEDED, "IOException", "connection refused");
    }

    long dead(UnaryOperator<Event.Builder> more, String name, Reason reason, String errorType, String message) {
        Event.Builder event =
                Event.named(name).source("shop").correlationId("order-17").time(time);
        store.publish(List.of(more.apply(event).build()), time.now());
        Claim first = claim();
        AttemptRecord failed = attempt(1, errorType, message, "retry", "in 1s");
        Duration delay = Duration.ofSeconds(1);
        store.settle(List.of(new Settlement.Retry(first, time.now().plus(delay), delay, failed)), time.now());
        time.advance(delay);
        AttemptRecord last = attempt(2, errorType, message, "dead", reason.code());
        String fingerprint = Fingerprint.of(errorType, message);
        store.settle(List.of(new Settlement.Dead(claim(), reason, last, fingerprint, "shop")), time.now());
        List<DeadLetter> letters = letters();
        return letters.get(letters.size() - 1).id();
    }

    private Claim claim() {
        ClaimRequest one = new ClaimRequest("n1", Lane.DOMAIN, 1, false, Duration.ofMinutes(1), time.now());
        return store.claim(one).get(0);
    }

    private AttemptRecord attempt(int number, String errorType, String message, String decision, String why) {
        return new AttemptRecord(number, time.now(), "n1", Duration.ofMillis(120), errorType, message, decision, why);
    }
}
