package io.redrive.jdbc;

import io.redrive.events.Attempts;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The numbers of a store's queues: one for each priority, then one for the suspects of each priority. */
final class QueueNumbers {

    /** The number of the queue of a suspect is its priority plus this number. */
    static final int SUSPECTS = Priority.values().length;

    /** How many queues there are. */
    static final int COUNT = 2 * SUSPECTS;

    private QueueNumbers() {}

    /** The queue of an event with these attempts. */
    static int of(Priority priority, Attempts attempts) {
        return attempts.isSuspect() ? SUSPECTS + priority.ordinal() : priority.ordinal();
    }

    /** The queues to read for a request, in order. */
    static List<Integer> of(ClaimRequest request) {
        int first = request.lane() == Lane.SUSPECT ? SUSPECTS : 0;
        List<Integer> queues = new ArrayList<>();
        request.lane().priorities().forEach(priority -> queues.add(first + priority.ordinal()));
        if (request.lowestFirst()) {
            Collections.reverse(queues);
        }
        return queues;
    }
}
