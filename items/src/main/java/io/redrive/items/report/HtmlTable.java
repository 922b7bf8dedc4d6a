package io.redrive.items.report;

import java.util.ArrayList;
import java.util.List;

/** A table of a report. The headings of numeric columns begin with {@code #}. Cells are HTML: the caller escapes text. */
final class HtmlTable {

    private final List<Boolean> numeric = new ArrayList<>();
    private final StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n");

    HtmlTable header(String... names) {
        out.append("<thead><tr>");
        for (String name : names) {
            numeric.add(name.startsWith("#"));
        }
        for (int i = 0; i < names.length; i++) {
            out.append("<th scope=\"col\"")
                    .append(kind(i))
                    .append('>')
                    .append(numeric.get(i) ? names[i].substring(1) : names[i])
                    .append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        return this;
    }

    void row(String... cells) {
        out.append("<tr>");
        for (int i = 0; i < cells.length; i++) {
            out.append("<td").append(kind(i)).append('>').append(cells[i]).append("</td>");
        }
        out.append("</tr>\n");
    }

    /** Returns the class of a column: a last column without numbers holds messages, which may be long. */
    private String kind(int column) {
        if (numeric.get(column)) {
            return " class=\"number\"";
        }
        return column == numeric.size() - 1 ? " class=\"message\"" : "";
    }

    String render() {
        return out + "</tbody>\n</table></div>\n";
    }
}
