package io.redrive.cli.activity;

import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.pipeline.ChosenSize;
import io.redrive.pipeline.Member;
import java.time.Instant;
import java.util.List;

/** The sizes that live nodes chose because of their load. A number that is fixed was not chosen and is left out. */
final class NodeSizes {

    private NodeSizes() {}

    /** Returns the live nodes with sizes that were chosen. */
    static List<Member> chosen(List<Member> nodes, Instant now) {
        return nodes.stream()
                .filter(node -> node.isAlive(now))
                .filter(node -> !chosen(node).isEmpty())
                .toList();
    }

    private static List<ChosenSize> chosen(Member node) {
        return node.sizes().stream().filter(size -> size.least() < size.most()).toList();
    }

    static TextTable table(Member node) {
        TextTable table = new TextTable(
                Column.left("for"),
                Column.right("size"),
                Column.left("of").droppable(1),
                Column.left("bounds"),
                Column.elastic("because"));
        chosen(node)
                .forEach(size -> table.add(
                        size.subject(),
                        ActivityText.count(size.size()),
                        size.unit(),
                        ActivityText.count(size.least()) + "-" + ActivityText.count(size.most()),
                        size.why()));
        return table;
    }

    static List<JsonObject> json(List<Member> nodes) {
        return nodes.stream()
                .map(node -> new JsonObject()
                        .put("node", node.node())
                        .put("sizes", chosen(node).stream().map(NodeSizes::json).toList()))
                .toList();
    }

    private static JsonObject json(ChosenSize size) {
        return new JsonObject()
                .put("subject", size.subject())
                .put("size", size.size())
                .put("unit", size.unit())
                .put("least", size.least())
                .put("most", size.most())
                .put("why", size.why());
    }
}
