package io.redrive.events;

import java.util.Set;
import java.util.TreeSet;

/**
 * The state of a redrive operation.
 *
 * <pre>
 * selecting ─► previewed ─► running ◄─► paused
 *     └──────────┴────────────┼──────────┴─► cancelled
 *                             ├─► halted
 *                             └─► finished
 * </pre>
 */
public sealed interface RedriveState {

    /** Returns the state in a word, as stores and programs name it. */
    String code();

    /** Returns true when letters of the operation may still be sent. */
    default boolean isActive() {
        return this instanceof Running || this instanceof Paused;
    }

    /** Returns true when no letter is sent any more. */
    default boolean isEnded() {
        return this instanceof Cancelled || this instanceof Halted || this instanceof Finished;
    }

    /** The selection is being written; letters are still added. */
    record Selecting() implements RedriveState {
        @Override
        public String code() {
            return "selecting";
        }
    }

    /** The selection is frozen, and no letter is sent before the operation is started. */
    record Previewed() implements RedriveState {
        @Override
        public String code() {
            return "previewed";
        }
    }

    /** Letters are sent, or the last events have not ended yet. */
    record Running() implements RedriveState {
        @Override
        public String code() {
            return "running";
        }
    }

    /** An operator has paused the operation: no letter is sent until it is resumed. */
    record Paused() implements RedriveState {
        @Override
        public String code() {
            return "paused";
        }
    }

    /** An operator has ended the operation. Letters that were not sent are still dead letters. */
    record Cancelled() implements RedriveState {
        @Override
        public String code() {
            return "cancelled";
        }
    }

    /**
     * A canary ended itself. Letters that were not sent are still dead letters.
     *
     * @param why the reason in words
     * @param fingerprints the returned causes, where these are the reason
     */
    record Halted(String why, Set<String> fingerprints) implements RedriveState {

        /** Copies the fingerprints. */
        public Halted {
            fingerprints = Set.copyOf(fingerprints);
        }

        @Override
        public String code() {
            return "halted";
        }

        @Override
        public String toString() {
            return "halted: " + why + (fingerprints.isEmpty() ? "" : " " + new TreeSet<>(fingerprints));
        }
    }

    /** Every letter was sent or is gone, and every event has ended. */
    record Finished() implements RedriveState {
        @Override
        public String code() {
            return "finished";
        }
    }

    /**
     * Returns the state with this code.
     *
     * @param why the reason of a halt; empty for other states
     * @param fingerprints the causes of a halt; empty for other states
     * @throws IllegalArgumentException when no state has this code
     */
    static RedriveState of(String code, String why, Set<String> fingerprints) {
        return switch (code) {
            case "selecting" -> new Selecting();
            case "previewed" -> new Previewed();
            case "running" -> new Running();
            case "paused" -> new Paused();
            case "cancelled" -> new Cancelled();
            case "halted" -> new Halted(why, fingerprints);
            case "finished" -> new Finished();
            default -> throw new IllegalArgumentException("no redrive operation has the state '" + code + "'");
        };
    }
}
