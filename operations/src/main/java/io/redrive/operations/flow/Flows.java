package io.redrive.operations.flow;

import java.util.List;

/**
 * The flows of all nodes of a store. Figures of a node are up to five seconds old; a partition that just moved may count twice, or
 * not at all, for that time.
 *
 * @param groups the groups, by name; empty when no node has reported a flow
 * @param waiting events that wait in the store, of all groups and of publishers: ready or delayed
 */
public record Flows(List<GroupFlow> groups, long waiting) {

    /** Copies the groups. */
    public Flows {
        groups = List.copyOf(groups);
    }
}
