package io.redrive.pipeline;

import static io.redrive.pipeline.StoreModel.check;

import io.redrive.core.Failure;
import io.redrive.events.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Handlers with every behaviour a handler may have. Handlers note each outcome for the oracle to compare. */
final class SimulatedHandlers {

    private final Simulation simulation;
    private final SplittableRandom random;
    /** Events called single.b always die. */
    private final boolean doomed;

    SimulatedHandlers(Simulation simulation, SplittableRandom random, boolean doomed) {
        this.simulation = simulation;
        this.random = random;
        this.doomed = doomed;
    }

    Outcome one(SimulatedNode node, Event event) throws Exception {
        SimulatedNode.Flight flight = begin(node, event, 1);
        if (flight == null) {
            return Outcome.done();
        }
        Outcome outcome = doomed && event.name().equals("single.b") && !simulation.isEnding()
                ? Outcome.dead("doomed")
                : someOutcome();
        if (happensToCrash(node, List.of(event))) {
            return outcome;
        }
        flight.timedOut = happensToDawdle();
        say(flight, flight.timedOut ? Outcome.failed(new IOException("too late")) : outcome);
        if (outcome instanceof Outcome.Failed failed) {
            throwIt(((Failure.Thrown) failed.failure()).error());
        }
        return outcome;
    }

    void batch(SimulatedNode node, EventBatch batch) throws Exception {
        List<SimulatedNode.Flight> silent = new ArrayList<>();
        List<SimulatedNode.Flight> reported = new ArrayList<>();
        int size = batch.events().size();
        for (Event event : batch.events()) {
            SimulatedNode.Flight flight = begin(
                    node,
                    event,
                    1
                            + 32
                            - Integer.numberOfLeadingZeros(
                                    simulation.profile.domain().size()));
            if (flight == null) {
                return;
            }
            flight.outcome = null;
            flight.timedOut = false;
            Outcome outcome = chance(0.3) ? someOutcome() : Outcome.done();
            if (outcome instanceof Outcome.Done) {
                silent.add(flight);
            } else {
                report(batch, event, outcome);
                say(flight, outcome);
                reported.add(flight);
            }
        }
        if (happensToCrash(node, batch.events())) {
            return;
        }
        boolean late = happensToDawdle();
        boolean throwing = chance(0.2);
        reported.forEach(flight -> flight.endedAt = simulation.time.now());
        for (SimulatedNode.Flight flight : silent) {
            if (!late && !throwing) {
                say(flight, Outcome.done());
            } else if (late || size == 1) {
                // After a time-out all events of the batch have failed; after an exception the batch is split.
                flight.timedOut = late;
                say(flight, Outcome.failed(new IOException("all of it")));
            }
        }
        if (throwing) {
            throw new IOException("all of it");
        }
    }

    /** Null in a process that has just died: the rest of its batch is not handled. */
    private SimulatedNode.Flight begin(SimulatedNode node, Event event, int mostCalls) {
        try {
            return node.dead ? null : admitted(node, event, mostCalls);
        } catch (AssertionError e) {
            // An assertion error thrown in a handler would count as a failure of the handler.
            simulation.broken(e);
            throw e;
        }
    }

    private SimulatedNode.Flight admitted(SimulatedNode node, Event event, int mostCalls) {
        SimulatedNode.Flight flight = node.flights.get(event);
        check(!node.stopped, "no handler begins after the stop", node, event);
        check(flight != null, "handlers only see what is claimed and not settled", node, event);
        check(Verdicts.refusal(flight, simulation) == null, "no handler sees what must not be handled", flight.claim);
        check(
                !Processor.isTooLate(flight.claim, simulation.time.now()),
                "no handler begins after the deadline",
                flight.claim);
        check(++flight.calls <= mostCalls, "a handler sees a claim once, or while its batch is split", flight.claim);
        StoreModel.Row row = simulation.model.row(event);
        row.handled += flight.calls == 1 ? 1 : 0;
        boolean current = row.state == StoreModel.State.CLAIMED && row.token == flight.claim.token();
        check(!current || simulation.model.isFirstOfItsKey(row), "events of a key are handled in order", row);
        check(
                !flight.claim.isSuspect() || simulation.model.heldBy(node) == 1 || node.hasWaited(flight),
                "a suspect is handled with no event beside it",
                flight.claim);
        simulation.trace(node, "handles", event);
        return flight;
    }

    private void say(SimulatedNode.Flight flight, Outcome outcome) {
        simulation.trace("said", flight.claim.event(), outcome, flight.timedOut ? "too late" : "");
        flight.outcome = outcome;
        flight.endedAt = simulation.time.now();
        if (outcome instanceof Outcome.Done) {
            simulation.model.row(flight.claim.event()).successes++;
        }
    }

    private boolean happensToCrash(SimulatedNode node, List<Event> events) {
        boolean crash = chance(0.02) || events.stream().anyMatch(Simulation::isDeadly);
        if (crash) {
            simulation.crash(node);
        }
        return crash;
    }

    /** Longer than the time limit, and sometimes longer than the lease: another node may have the event then. */
    private boolean happensToDawdle() {
        boolean late = chance(0.02);
        if (late) {
            simulation.advance(Duration.ofSeconds(chance(0.5) ? 21 : 45));
        }
        return late;
    }

    private boolean chance(double probability) {
        return !simulation.isEnding() && simulation.chance(probability);
    }

    private Outcome someOutcome() {
        if (!chance(0.45)) {
            return Outcome.done();
        }
        return switch (random.nextInt(8)) {
            case 0 -> Outcome.retry("not yet");
            case 1 -> Outcome.retry(Duration.ofMillis(random.nextInt(9_000)), "later");
            case 2 -> Outcome.dead("no");
            case 3 -> Outcome.snooze(Duration.ofMillis(1 + random.nextInt(4_000)));
            case 4 -> Outcome.failed(new IllegalArgumentException("bad input"));
            case 5 -> Outcome.failed(new StackOverflowError("deep"));
            default -> Outcome.failed(new IOException("down"));
        };
    }

    private static void report(EventBatch batch, Event event, Outcome outcome) {
        if (outcome instanceof Outcome.Retry retry) {
            if (retry.delay().isPresent()) {
                batch.retry(event, retry.delay().get(), retry.why());
            } else {
                batch.retry(event, retry.why());
            }
        } else if (outcome instanceof Outcome.Dead dead) {
            batch.dead(event, dead.why());
        } else if (outcome instanceof Outcome.Snooze snooze) {
            batch.snooze(event, snooze.delay());
        } else if (outcome instanceof Outcome.Failed failed) {
            batch.failed(event, ((Failure.Thrown) failed.failure()).error());
        }
    }

    private static void throwIt(Throwable error) throws Exception {
        if (error instanceof Error fatal) {
            throw fatal;
        }
        throw (Exception) error;
    }
}
