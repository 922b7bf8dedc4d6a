package io.redrive.events.flow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why a node fetches no further records of a partition for now. */
public enum PauseReason {
    /** The open records reach their limit, and the name of an open record is paused. */
    PAUSED_NAME("a name is paused"),
    /** The open records reach their limit, and the brake refused rows for failed records. */
    BRAKE("the brake holds failed records back"),
    /** The open records reach their limit: the handlers are slower than the topic. */
    BACK_PRESSURE("handlers are behind"),
    /** The group gave the partition to the node, and the store has not answered yet: no record of the partition is handled. */
    STORE("the store does not answer"),
    /** The store is of one machine and the group has a second member: no record of the partition is handled. */
    OTHER_MEMBER("the group has a second member, and the store is for one");

    private final String words;

    PauseReason(String words) {
        this.words = words;
    }

    /** Returns the reason in words. */
    public String words() {
        return words;
    }

    /** Returns the name in JSON and in notes, such as {@code back_pressure}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the reason with this code; empty for an unknown code. */
    public static Optional<PauseReason> of(String code) {
        return Arrays.stream(values())
                .filter(reason -> reason.code().equals(code))
                .findFirst();
    }
}
