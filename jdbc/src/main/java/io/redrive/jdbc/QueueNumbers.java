package io.redrive.jdbc;

import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The numbers of a store's queues: one for each priority, and the last for suspects. */
final class QueueNumbers {

    static final int SUSPECT = Priority.values().length;

    private QueueNumbers() {}

    /** The queues to read for a request, in order. */
    static List<Integer> of(ClaimRequest request) {
        if (request.lane() == Lane.SUSPECT) {
            return List.of(SUSPECT);
        }
        List<Integer> queues = new ArrayList<>();
        request.lane().priorities().forEach(priority -> queues.add(priority.ordinal()));
        if (request.lowestFirst()) {
            Collections.reverse(queues);
        }
        return queues;
    }
}
