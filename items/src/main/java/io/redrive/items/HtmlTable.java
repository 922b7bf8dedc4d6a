package io.redrive.items;

import java.util.ArrayList;
import java.util.List;

/** A table of a report. A column whose heading begins with {@code #} has numbers. Cells are HTML already. */
final class HtmlTable {

    private final List<Boolean> numeric = new ArrayList<>();
    private final StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n");

    HtmlTable header(String... names) {
        out.append("<thead><tr>");
        for (String name : names) {
            boolean number = name.startsWith("#");
            numeric.add(number);
            out.append(number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">")
                    .append(number ? name.substring(1) : name)
                    .append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        return this;
    }

    void row(String... cells) {
        out.append("<tr>");
        for (int i = 0; i < cells.length; i++) {
            String kind = numeric.get(i) ? " class=\"number\"" : i == cells.length - 1 ? " class=\"message\"" : "";
            out.append("<td").append(kind).append('>').append(cells[i]).append("</td>");
        }
        out.append("</tr>\n");
    }

    String render() {
        return out + "</tbody>\n</table></div>\n";
    }
}
