package io.redrive.cli.operations;

import io.redrive.cli.command.JsonObject;
import io.redrive.events.RedriveCounts;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedriveState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Redrive operations in words and as JSON. */
final class OperationText {

    private OperationText() {}

    static String letters(long count) {
        return count == 1 ? "1 letter" : count + " letters";
    }

    /** Returns the progress: {@code 11 of 20 redriven: 9 done, 1 dead again, 1 under way}. */
    static String progress(RedriveOperation operation) {
        RedriveCounts counts = operation.counts();
        StringBuilder text = new StringBuilder()
                .append(counts.redriven())
                .append(" of ")
                .append(counts.selected())
                .append(" redriven");
        String separator = ": ";
        separator = append(text, separator, counts.done(), "done");
        separator = append(text, separator, counts.deadAgain(), "dead again");
        separator = append(text, separator, counts.underWay(), "under way");
        append(text, separator, counts.gone(), "gone");
        return text.toString();
    }

    private static String append(StringBuilder text, String separator, long count, String what) {
        if (count == 0) {
            return separator;
        }
        text.append(separator).append(count).append(' ').append(what);
        return ", ";
    }

    /** Returns the state, with the reason of a halt. */
    static String state(RedriveOperation operation) {
        return operation.state() instanceof RedriveState.Halted halted
                ? "halted: " + halted.why()
                : operation.state().code();
    }

    static JsonObject json(RedriveOperation operation) {
        RedriveCounts counts = operation.counts();
        JsonObject object = new JsonObject()
                .put("id", operation.id())
                .put("state", operation.state().code());
        if (operation.state() instanceof RedriveState.Halted halted) {
            object.put("why", halted.why()).put("fingerprints", List.copyOf(new TreeSet<>(halted.fingerprints())));
        }
        return object.put("operator", operation.command().operator())
                .put("origin", operation.command().origin())
                .put("letters", operation.command().about())
                .put("canary", operation.plan().isCanary())
                .put("stage", operation.pace().stage() + 1)
                .put("selected", counts.selected())
                .put("redriven", counts.redriven())
                .put("done", counts.done())
                .put("dead_again", counts.deadAgain())
                .put("under_way", counts.underWay())
                .put("gone", counts.gone())
                .put("pending", counts.pending())
                .put("created", operation.times().created().toString())
                .put("started", text(operation.times().started()))
                .put("ended", text(operation.times().ended()))
                .put("node", operation.runner());
    }

    private static String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse("");
    }
}
