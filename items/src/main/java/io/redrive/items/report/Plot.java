package io.redrive.items.report;

import java.util.List;

/**
 * A plot of a report: an SVG element whose colours are the CSS variables {@code --good}, {@code --skip}, {@code --bad}, {@code --open},
 * {@code --retry} and {@code --line} of the page around it. Immutable.
 *
 * @param title the subject of the plot
 * @param svg the SVG element, with all texts escaped
 * @param keys the meaning of the colours; empty when the plot has one colour
 * @param note a sentence about the plot; empty for none
 */
public record Plot(String title, String svg, List<Key> keys, String note) {

    /**
     * The meaning of a colour.
     *
     * @param name the meaning
     * @param colour the CSS variable without its dashes, such as {@code good}
     */
    public record Key(String name, String colour) {}

    /** Copies the list. */
    public Plot {
        keys = List.copyOf(keys);
    }

    /** Returns the plot as a figure of the HTML report. */
    String figure() {
        StringBuilder legend = new StringBuilder();
        for (Key key : keys) {
            legend.append("<span><i style=\"background: var(--")
                    .append(key.colour())
                    .append(")\"></i>")
                    .append(key.name())
                    .append("</span>");
        }
        return "<figure>\n" + svg
                + (keys.isEmpty() ? "" : "<div class=\"legend\">" + legend + "</div>\n")
                + (note.isEmpty() ? "" : "<p>" + note + "</p>\n")
                + "</figure>\n";
    }
}
