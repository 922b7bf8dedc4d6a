package io.redrive.kafka;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/** A process of the group: the intake and the exchange of a flow, stepped by hand, and handlers with random outcomes. */
final class SimulatedMember {

    private static final Duration LEASE = Duration.ofSeconds(5);

    final String name;
    private final Random random;
    private final ManualTime time;
    private final GroupLedger ledger;
    private final boolean isOrdered;
    private final Supplier<SimulatedConsumer> consumers;
    private final FlowExchange exchange;
    private final KafkaIntake intake;
    final OwnedPartitions partitions;
    final List<Claim> held = new ArrayList<>();
    private final List<Settlement> unsettled = new ArrayList<>();
    SimulatedConsumer consumer;

    SimulatedMember(
            String name,
            EventStore store,
            FlowSettings settings,
            Random random,
            ManualTime time,
            GroupLedger ledger,
            Supplier<SimulatedConsumer> consumers) {
        this.name = name;
        this.random = random;
        this.time = time;
        this.ledger = ledger;
        this.consumers = consumers;
        isOrdered = settings.orderedByKey();
        partitions = new OwnedPartitions(time, Duration.ZERO);
        exchange = new FlowExchange(
                store, partitions, new RowBrake(store, settings.rowsPerSecond(), settings.maxBacklog()), settings);
        intake = new KafkaIntake(settings, store, partitions, exchange, time, consumers::get);
        consumer = consumers.get();
        intake.subscribe(consumer);
    }

    /** The thread of the intake takes a turn. */
    void poll() {
        try {
            intake.poll(consumer);
        } catch (KafkaException e) {
            ledger.tell(name + " starts a new consumer: " + e.getMessage());
            try {
                consumer.close();
            } catch (KafkaException closing) {
                ledger.tell(name + " closes its consumer: " + closing.getMessage());
            }
            intake.dropAll();
            consumer = consumers.get();
            intake.subscribe(consumer);
        }
    }

    /** The pipeline settles what its handlers decided, and claims. */
    void exchange(List<Claim> heldElsewhere) {
        List<ClaimRequest> requests = new ArrayList<>();
        boolean hasSuspect = held.stream().anyMatch(Claim::isSuspect);
        if (held.size() < 12 && !hasSuspect) {
            requests.add(new ClaimRequest(name, Lane.DOMAIN, 1 + random.nextInt(6), false, LEASE, time.now()));
        }
        if (random.nextInt(3) == 0 && !hasSuspect) {
            requests.add(new ClaimRequest(name, Lane.SUSPECT, 1, false, LEASE, time.now()));
        }
        try {
            Exchange answer = exchange.run(unsettled, requests, time.now());
            unsettled.stream()
                    .filter(each -> each instanceof Settlement.Dead)
                    .map(Settlement::claim)
                    .filter(claim -> !answer.stale().contains(claim))
                    .forEach(ledger::confirmedDead);
            unsettled.clear();
            for (Claim claim : answer.claims()) {
                ledger.tell(name + " begins " + GroupLedger.placeOf(claim) + " token " + claim.token());
                List<Claim> others = new ArrayList<>(heldElsewhere);
                held.stream().filter(this::isCurrent).forEach(others::add);
                ledger.beginsAlone(claim, held);
                partitions
                        .lent(claim)
                        .filter(lent -> lent.record().book.announcements().isCareful(lent.record().offset))
                        .ifPresent(lent -> ledger.beginsCarefully(claim));
                ledger.begins(claim, others, isOrdered);
                held.add(claim);
            }
        } catch (StoreException e) {
            ledger.tell(name + " repeats an exchange: " + e.getMessage());
        }
    }

    /** Returns false for a record whose partition has left. */
    boolean isCurrent(Claim claim) {
        return !OwnedPartitions.isOurs(claim.token()) || partitions.lent(claim).isPresent();
    }

    /** Keeps the leases of stored events. */
    void extend(EventStore leases) {
        List<Long> tokens = claims().stream()
                .map(Claim::token)
                .filter(token -> !OwnedPartitions.isOurs(token))
                .toList();
        if (!tokens.isEmpty()) {
            leases.extend(tokens, LEASE, time.now());
        }
    }

    /** Returns the claims in handlers, and the claims whose settlement no exchange has told yet. */
    List<Claim> claims() {
        List<Claim> claims = new ArrayList<>(held);
        unsettled.forEach(each -> claims.add(each.claim()));
        return claims;
    }

    /**
     * Returns false while there is nothing to handle. A pipeline begins a suspect when the store knows of the end of all other claims,
     * or else the store would take these claims for neighbours of the suspect.
     */
    boolean canHandle() {
        return held.stream().anyMatch(claim -> !claim.isSuspect() || unsettled.isEmpty());
    }

    /** A handler ends. Returns false when the handler ended its process. */
    boolean handle(boolean endsWell) {
        if (!canHandle()) {
            return true;
        }
        Claim claim = next();
        if (claim.attempts().crashed() > Attempts.CRASHES_OF_A_SUSPECT) {
            unsettled.add(new Settlement.Dead(claim, Reason.POISON, attempt(claim, "dead"), "same", "billing"));
            return true;
        }
        if (ledger.isPoison(claim)) {
            ledger.tell(name + " dies of " + GroupLedger.placeOf(claim));
            ledger.diesOfPoison();
            held.add(claim);
            return false;
        }
        settle(claim, endsWell);
        return true;
    }

    /** A suspect is handled with no other event beside it. */
    private Claim next() {
        List<Claim> innocent = held.stream().filter(claim -> !claim.isSuspect()).toList();
        List<Claim> choice = innocent.isEmpty() ? held : innocent;
        Claim claim = choice.get(random.nextInt(choice.size()));
        held.remove(claim);
        return claim;
    }

    private void settle(Claim claim, boolean endsWell) {
        int choice = endsWell ? 0 : random.nextInt(100);
        if (choice < 60) {
            ledger.done(name, claim);
            unsettled.add(new Settlement.Done(claim));
        } else if (choice < 85) {
            Duration wait = Duration.ofMillis(random.nextInt(choice < 75 ? 2_000 : 8_000));
            unsettled.add(new Settlement.Retry(claim, time.now().plus(wait), wait, attempt(claim, "retry")));
        } else if (choice < 92) {
            unsettled.add(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt(claim, "dead"), "same", "billing"));
        } else if (choice < 96) {
            unsettled.add(new Settlement.Release(claim));
        } else {
            unsettled.add(new Settlement.Snooze(claim, time.now().plusSeconds(random.nextInt(5))));
        }
        ledger.tell(name + " settles " + GroupLedger.placeOf(claim) + " "
                + unsettled.get(unsettled.size() - 1).getClass().getSimpleName());
    }

    private AttemptRecord attempt(Claim claim, String decision) {
        return new AttemptRecord(
                claim.attempts().failed() + 1, time.now(), name, Duration.ZERO, "IOException", "no", decision, "test");
    }

    /** The process ends in good order: claims go back, then the consumer leaves. */
    void stop() {
        held.forEach(claim -> unsettled.add(new Settlement.Release(claim)));
        held.clear();
        try {
            exchange.run(unsettled, List.of(), time.now());
        } catch (StoreException e) {
            ledger.tell(name + " could not release: " + e.getMessage());
        }
        unsettled.clear();
        try {
            consumer.close();
        } catch (KafkaException e) {
            ledger.tell(name + " leaves: " + e.getMessage());
        }
    }

    /** The process dies: what it decided and did not tell is lost. */
    void crash() {
        if (random.nextBoolean()) {
            consumer.arrive();
        }
        held.clear();
        unsettled.clear();
    }

    boolean isIdle() {
        return held.isEmpty() && unsettled.isEmpty();
    }
}
