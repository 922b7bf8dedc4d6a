package io.redrive.events;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The record of actions of the in-memory store, by the commands' ids. Called with the store's lock held. */
final class InMemoryActions {

    private final Map<String, OperatorAction> rows = new LinkedHashMap<>();

    void clear() {
        rows.clear();
    }

    /** A call that changed no letter leaves no row, because automatic redrives look every minute. */
    void add(OperatorCommand command, String action, List<DeadLetter> changed, Instant now) {
        if (!changed.isEmpty()) {
            Map<String, Long> causes =
                    changed.stream().collect(Collectors.groupingBy(DeadLetter::fingerprint, Collectors.counting()));
            change(command, action, now, row -> row.plus(causes, now.truncatedTo(ChronoUnit.MICROS)));
        }
    }

    void change(OperatorCommand command, String action, Instant now, UnaryOperator<OperatorAction> change) {
        OperatorAction row = rows.getOrDefault(
                command.id(), OperatorAction.begun(command, action, now.truncatedTo(ChronoUnit.MICROS)));
        rows.put(command.id(), change.apply(row));
    }

    List<OperatorAction> newest(ActionFilter filter, int limit) {
        List<OperatorAction> all = new ArrayList<>(rows.values());
        List<OperatorAction> newest = new ArrayList<>();
        int last = filter.after().map(List.copyOf(rows.keySet())::indexOf).orElse(all.size());
        for (int i = last - 1; i >= 0 && newest.size() < limit; i--) {
            if (filter.matches(all.get(i))) {
                newest.add(all.get(i));
            }
        }
        return newest;
    }
}
