package io.redrive.cli.activity;

import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.operations.NodeSizes;
import io.redrive.pipeline.ChosenSize;
import java.util.List;

/** Writes the sizes that nodes chose, as a table and as JSON. */
final class NodeSizesText {

    private NodeSizesText() {}

    static TextTable table(NodeSizes node) {
        TextTable table = new TextTable(
                Column.left("for"),
                Column.right("size"),
                Column.left("of").droppable(1),
                Column.left("bounds"),
                Column.elastic("because"));
        node.sizes()
                .forEach(size -> table.add(
                        size.subject(),
                        ActivityText.count(size.size()),
                        size.unit(),
                        ActivityText.count(size.least()) + "-" + ActivityText.count(size.most()),
                        size.why()));
        return table;
    }

    static List<JsonObject> json(List<NodeSizes> nodes) {
        return nodes.stream()
                .map(node -> new JsonObject()
                        .put("node", node.node())
                        .put(
                                "sizes",
                                node.sizes().stream().map(NodeSizesText::json).toList()))
                .toList();
    }

    private static JsonObject json(ChosenSize size) {
        JsonObject json = new JsonObject();
        NodeSizes.members(size).forEach(json::put);
        return json;
    }
}
