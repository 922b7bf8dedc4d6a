package io.redrive.pipeline;

import io.redrive.events.Settlement;

/** Counts the settlements answered by the store, by the announcement of each settlement. */
final class AnsweredSettlements {

    static final Settlement.Cases<AnsweredSettlements> COUNT = new Settlement.Cases<>() {
        @Override
        public void done(Settlement.Done done, AnsweredSettlements counts) {
            counts.done++;
        }

        @Override
        public void retry(Settlement.Retry retry, AnsweredSettlements counts) {
            counts.retries++;
        }

        @Override
        public void dead(Settlement.Dead dead, AnsweredSettlements counts) {
            counts.dead++;
        }

        @Override
        public void release(Settlement.Release release, AnsweredSettlements counts) {
            // Not announced.
        }

        @Override
        public void snooze(Settlement.Snooze snooze, AnsweredSettlements counts) {
            // Not announced.
        }
    };

    int stale;
    int done;
    int retries;
    int dead;
}
