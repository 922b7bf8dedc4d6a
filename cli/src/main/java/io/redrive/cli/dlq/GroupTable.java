package io.redrive.cli.dlq;

import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.LetterGroup;
import java.time.Instant;
import java.util.List;

/** Dead letters by cause, as a table. */
public final class GroupTable {

    private GroupTable() {}

    /** Returns the groups as a table, one row for each cause. */
    public static TextTable of(List<LetterGroup> groups, Instant now) {
        TextTable table = new TextTable(
                Column.left("cause"),
                Column.right("letters"),
                Column.left("first").droppable(1),
                Column.left("last"),
                Column.elastic("events"),
                Column.elastic("error, for example"));
        groups.forEach(group -> table.add(
                group.fingerprint(),
                group.count(),
                Printable.age(group.firstDead(), now),
                Printable.age(group.lastDead(), now),
                String.join(", ", group.names()),
                Printable.error(group.errorType(), group.example())));
        return table;
    }
}
