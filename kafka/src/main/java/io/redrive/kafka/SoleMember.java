package io.redrive.kafka;

import io.redrive.events.EventStore;
import java.util.Collections;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Keeps a group above a store of a single machine to a single member: a second process would not see the failures in the store. A
 * newcomer stays outside, and the member goes on. Of members that joined at the same time, the member with the lowest id stays. Used
 * by the thread of the intake alone.
 */
final class SoleMember {

    private final FlowSettings settings;
    private final EventStore store;
    private final Supplier<Set<String>> members;
    private boolean isAlone;

    /** Creates the rule for the group whose members the supplier asks for, by their ids. */
    SoleMember(FlowSettings settings, EventStore store, Supplier<Set<String>> members) {
        this.settings = settings;
        this.store = store;
        this.members = members;
    }

    /** The members of the group may have changed. */
    void rebalanced() {
        isAlone = false;
    }

    /**
     * Refuses to join while the group has a member.
     *
     * @throws SecondMemberException naming the rule and the remedy
     */
    void requireEmptyGroup() {
        if (!store.adoptions().isShared()) {
            int found = members.get().size();
            if (found > 0) {
                throw second(found + 1);
            }
        }
    }

    /**
     * Returns true when the member with this id is alone, and false when another member must leave first.
     *
     * @throws SecondMemberException when this member must leave
     */
    boolean isAlone(Supplier<String> id) {
        if (isAlone || store.adoptions().isShared()) {
            return true;
        }
        Set<String> found = members.get();
        isAlone = found.size() <= 1;
        if (!isAlone && !id.get().equals(Collections.min(found))) {
            throw second(found.size());
        }
        return isAlone;
    }

    private SecondMemberException second(int count) {
        return new SecondMemberException("group " + settings.group() + " must have one member above " + store.describe()
                + ", got " + count
                + "; this process stays outside of the group, handles no record and tries again every two"
                + " seconds; stop the other process, or use PostgreSQL");
    }
}
