package io.redrive.testkit;

import io.redrive.testkit.FaultyStore.Moment;
import java.util.function.Function;
import java.util.function.Supplier;

/** A story of store calls, in which each call may be repeated, and which another process can continue after any call. */
interface FaultStory {

    /** More calls than a story makes; ends a story that would run for ever. */
    int MAX_CALLS = 1_000;

    /** Runs the story from the state of the store on, each store call by {@code caller}. */
    void run(StoreDriver on, Caller caller);

    /** Asserts that each step of the story took effect once. */
    void assertEnded(StoreDriver on);

    /** Makes a call, and repeats it or dies of its failure. */
    interface Caller {
        <T> T call(Supplier<T> action);
    }

    /** Dies of a failed call. */
    final class Impatience implements Caller {
        @Override
        public <T> T call(Supplier<T> action) {
            return action.get();
        }
    }

    /** Repeats a failed call. */
    final class Patience implements Caller {
        @Override
        public <T> T call(Supplier<T> action) {
            try {
                return action.get();
            } catch (FaultyStore.Fault fault) {
                return action.get();
            }
        }
    }

    /** Tells the story with the first call failing, then with the second, and so on. Returns the number of failed calls. */
    static int failEachCall(Supplier<StoreDriver> stores, Function<StoreDriver, FaultStory> stories, Moment moment) {
        for (int call = 1; call < MAX_CALLS; call++) {
            StoreDriver on = stores.get();
            FaultStory story = stories.apply(on);
            FaultyStore faulty = FaultyStore.failing(on.store(), call, moment);
            story.run(on.on(faulty), new Patience());
            story.assertEnded(on);
            if (!faulty.hasFailed()) {
                return call - 1;
            }
        }
        throw new AssertionError("the story makes more than " + MAX_CALLS + " calls");
    }

    /** Tells the story with a crash behind each call, after which another process goes on. Returns the number of crashes. */
    static int crashAfterEachCall(
            Supplier<StoreDriver> stores, Function<StoreDriver, FaultStory> stories, StoreUnderTest under) {
        for (int call = 1; call < MAX_CALLS; call++) {
            StoreDriver on = stores.get();
            FaultStory story = stories.apply(on);
            try {
                story.run(on.on(FaultyStore.failing(on.store(), call, Moment.AFTER)), new Impatience());
                return call - 1;
            } catch (FaultyStore.Fault crash) {
                StoreDriver after = on.on(under.reopened(on));
                story.run(after, new Impatience());
                story.assertEnded(after);
            }
        }
        throw new AssertionError("the story makes more than " + MAX_CALLS + " calls");
    }
}
