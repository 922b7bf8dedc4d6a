package io.redrive.examples.figures;

import java.util.Locale;

/** Writes SVG elements, one per line. Colours are readable on both backgrounds of GitHub, white and dark. */
final class Svg {

    static final String BLUE = "#3d8bd9";
    static final String ORANGE = "#e0762f";
    static final String GREEN = "#2f9e68";
    static final String PURPLE = "#a466c9";
    static final String RED = "#d8506a";
    static final String GREY = "#848d97";

    private static final String STYLE =
            "text { font: 12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #7b858f; }"
                    + " .title { font-size: 13.5px; font-weight: 600; }"
                    + " .grid { stroke: #7b858f; stroke-opacity: 0.22; }"
                    + " .axis { stroke: #7b858f; stroke-opacity: 0.8; }"
                    + " .shade { fill: #7b858f; fill-opacity: 0.14; }"
                    + " .line { fill: none; stroke-width: 2; stroke-linejoin: round; }";

    private final StringBuilder text = new StringBuilder();

    Svg(double width, double height, String description) {
        text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                .append(number(width))
                .append(' ')
                .append(number(height))
                .append("\" role=\"img\">\n<title>")
                .append(escaped(description))
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style>\n");
    }

    void group(double x, double y) {
        text.append("<g transform=\"translate(")
                .append(number(x))
                .append(' ')
                .append(number(y))
                .append(")\">\n");
    }

    void endGroup() {
        text.append("</g>\n");
    }

    void line(double x1, double y1, double x2, double y2, String attributes) {
        text.append(String.format(
                Locale.ROOT,
                "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" %s/>\n",
                number(x1),
                number(y1),
                number(x2),
                number(y2),
                attributes));
    }

    void path(String path, String attributes) {
        text.append("<path d=\"").append(path).append("\" ").append(attributes).append("/>\n");
    }

    void dots(String colour, double opacity) {
        text.append("<g fill=\"")
                .append(colour)
                .append("\" fill-opacity=\"")
                .append(number(opacity))
                .append("\">\n");
    }

    void dot(double x, double y, double radius) {
        text.append(String.format(
                Locale.ROOT, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", number(x), number(y), number(radius)));
    }

    void rectangle(double x, double y, double width, double height, String attributes) {
        text.append(String.format(
                Locale.ROOT,
                "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" %s/>\n",
                number(x),
                number(y),
                number(width),
                number(height),
                attributes));
    }

    void text(double x, double y, String attributes, String content) {
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%s\" y=\"%s\" %s>%s</text>\n",
                number(x),
                number(y),
                attributes,
                escaped(content)));
    }

    String end() {
        return text + "</svg>\n";
    }

    /** Rounds to a decimal, which is finer than any screen. */
    static String number(double value) {
        String number = String.format(Locale.ROOT, "%.1f", value);
        return number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
    }

    private static String escaped(String content) {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
