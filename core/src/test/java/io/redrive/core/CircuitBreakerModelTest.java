package io.redrive.core;

import static io.redrive.core.CircuitBreaker.REFUSED;
import static io.redrive.core.CircuitBreaker.State.CLOSED;
import static io.redrive.core.CircuitBreaker.State.HALF_OPEN;
import static io.redrive.core.CircuitBreaker.State.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the breaker with a model, written from the breaker's description, over thousands of random histories. */
class CircuitBreakerModelTest {

    private static final IOException DOWN = new IOException("down");
    private static final int HISTORIES = 4_000;
    private static final int STEPS = 120;

    private static final Logger LOGGER = Logger.getLogger("io.redrive.core");

    @BeforeAll
    static void keep_a_hundred_thousand_changes_out_of_the_log() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void log_again() {
        LOGGER.setLevel(null);
    }

    @Test
    void the_breaker_behaves_as_the_model_does() {
        int changes = 0;
        for (int history = 0; history < HISTORIES; history++) {
            changes += new History(Seeds.random(history), history).play();
        }
        assertThat(changes)
                .as("histories that never leave a state prove nothing")
                .isGreaterThan(HISTORIES * 3);
    }

    /** Slow and obvious: a list of outcomes, a list of permits, no cleverness. */
    private static final class Model {
        final boolean byCount;
        final int failureCount;
        final int percent;
        final int minimumCalls;
        final int window;
        final int trials;
        final long openFor;
        CircuitBreaker.State state = CLOSED;
        int stay;
        long openedAt;
        List<Boolean> failures = new ArrayList<>();
        int trialsRunning;
        int trialsSucceeded;

        Model(RandomGenerator random) {
            byCount = random.nextBoolean();
            window = random.nextInt(1, 12);
            failureCount = random.nextInt(1, window + 1);
            minimumCalls = random.nextInt(1, window + 1);
            percent = random.nextInt(1, 101);
            trials = random.nextInt(1, 4);
            openFor = random.nextInt(1, 10);
        }

        boolean enter(long now) {
            if (state == OPEN && now - openedAt >= openFor) {
                move(HALF_OPEN, now);
            }
            if (state == HALF_OPEN && trialsRunning + trialsSucceeded < trials) {
                trialsRunning++;
                return true;
            }
            return state == CLOSED;
        }

        void end(int permit, boolean failed, long now) {
            if (permit != stay) {
                return;
            }
            if (state == CLOSED) {
                failures.add(failed);
                if (failures.size() > window) {
                    failures.remove(0);
                }
                long bad = failures.stream().filter(failure -> failure).count();
                boolean tooMany = byCount
                        ? bad >= failureCount
                        : failures.size() >= minimumCalls && bad * 100 >= (long) percent * failures.size();
                if (tooMany) {
                    move(OPEN, now);
                }
            } else if (failed) {
                move(OPEN, now);
            } else {
                trialsRunning--;
                trialsSucceeded++;
                if (trialsSucceeded == trials) {
                    move(CLOSED, now);
                }
            }
        }

        void abandon(int permit) {
            if (permit == stay && state == HALF_OPEN) {
                trialsRunning--;
            }
        }

        void move(CircuitBreaker.State to, long now) {
            state = to;
            stay++;
            openedAt = now;
            failures.clear();
            trialsRunning = 0;
            trialsSucceeded = 0;
        }
    }

    private record Call(long permit, int stay) {}

    private static final class History {
        private final RandomGenerator random;
        private final int number;
        private final Model model;
        private final ManualTime time = new ManualTime();
        private final CircuitBreaker breaker;
        private final List<CircuitBreaker.State> told = new ArrayList<>(List.of(CLOSED));
        private final List<CircuitBreaker.State> expected = new ArrayList<>(List.of(CLOSED));
        private final List<Call> running = new ArrayList<>();
        private final List<String> steps = new ArrayList<>();

        History(RandomGenerator random, int number) {
            this.random = random;
            this.number = number;
            model = new Model(random);
            CircuitBreaker.Builder builder = CircuitBreaker.builder("model")
                    .window(model.window)
                    .minimumCalls(model.minimumCalls)
                    .trialCalls(model.trials)
                    .openFor(Duration.ofSeconds(model.openFor))
                    .time(time)
                    .listener(new RetryListener() {
                        @Override
                        public void onBreakerChanged(BreakerChanged event) {
                            assertThat(event.from()).isEqualTo(told.get(told.size() - 1));
                            told.add(event.to());
                        }
                    });
            breaker = model.byCount
                    ? builder.failureCount(model.failureCount).build()
                    : builder.failureRate(model.percent / 100.0).build();
        }

        int play() {
            for (int step = 0; step < STEPS; step++) {
                step();
                if (model.state != expected.get(expected.size() - 1)) {
                    expected.add(model.state);
                }
                if (breaker.state() != model.state) {
                    wrong("state " + breaker.state() + ", the model says " + model.state);
                }
            }
            if (!told.equals(expected)) {
                wrong("listeners heard " + told + ", the model went through " + expected);
            }
            return told.size() - 1;
        }

        private void step() {
            int dice = random.nextInt(100);
            if (dice < 40) {
                enter();
            } else if (dice < 98 && (dice >= 88 || running.isEmpty())) {
                int seconds = random.nextInt(4);
                steps.add("wait " + seconds);
                time.advance(Duration.ofSeconds(seconds));
            } else if (dice < 60) {
                end(true);
            } else if (dice < 82) {
                end(false);
            } else if (dice < 88) {
                Call call = take("abandon");
                breaker.abandoned(call.permit());
                model.abandon(call.stay());
            } else if (dice < 99) {
                steps.add("open");
                breaker.open();
                model.move(OPEN, now());
            } else {
                steps.add("close");
                breaker.close();
                model.move(CLOSED, now());
            }
        }

        private void enter() {
            steps.add("enter");
            CircuitBreaker.State before = model.state;
            boolean allowed = model.enter(now());
            long permit = breaker.tryEnter();
            if (before == OPEN && model.state == HALF_OPEN) {
                expected.add(HALF_OPEN);
            }
            if ((permit != REFUSED) != allowed) {
                wrong("permit " + permit + ", the model says " + allowed);
            }
            if (allowed) {
                running.add(new Call(permit, model.stay));
            }
        }

        private void end(boolean failed) {
            Call call = take(failed ? "fail" : "succeed");
            if (failed) {
                breaker.failed(call.permit(), DOWN);
            } else {
                breaker.succeeded(call.permit());
            }
            model.end(call.stay(), failed, now());
        }

        /** Returns any running call, so that outcomes arrive late and out of order. */
        private Call take(String step) {
            steps.add(step);
            return running.remove(random.nextInt(running.size()));
        }

        private long now() {
            return time.nanos() / 1_000_000_000L;
        }

        private void wrong(String what) {
            fail(Seeds.replay("history " + number + " of " + breaker + ", " + model.trials + " trials: " + what
                    + " after " + steps));
        }
    }
}
