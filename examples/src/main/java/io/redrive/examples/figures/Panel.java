package io.redrive.examples.figures;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A plot with two axes: lines, dots and bands in data coordinates. Drawn by {@link Chart}. */
final class Panel {

    static final double LEFT = 62;
    static final double RIGHT = 14;
    static final double TOP = 34;
    static final double BOTTOM = 46;

    private final String title;
    private final Axis x;
    private final Axis y;
    private final List<Mark> marks = new ArrayList<>();

    Panel(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    record Point(double x, double y) {}

    private sealed interface Mark {
        record Line(String colour, boolean dashed, List<Point> points) implements Mark {}

        record Dots(String colour, double radius, double opacity, List<Point> points) implements Mark {}

        record Band(String colour, List<Point> lower, List<Point> upper) implements Mark {}

        record Shade(double from, double until, String text) implements Mark {}
    }

    Panel line(String colour, List<Point> points) {
        marks.add(new Mark.Line(colour, false, points));
        return this;
    }

    Panel dashed(String colour, List<Point> points) {
        marks.add(new Mark.Line(colour, true, points));
        return this;
    }

    Panel dots(String colour, double radius, double opacity, List<Point> points) {
        marks.add(new Mark.Dots(colour, radius, opacity, points));
        return this;
    }

    Panel band(String colour, List<Point> lower, List<Point> upper) {
        marks.add(new Mark.Band(colour, lower, upper));
        return this;
    }

    /** A grey zone over part of the x axis, with a label. */
    Panel shade(double from, double until, String text) {
        marks.add(new Mark.Shade(from, until, text));
        return this;
    }

    void draw(Svg svg, double width, double height) {
        Frame frame = new Frame(width, height);
        svg.text(LEFT, 18, "class=\"title\"", title);
        for (Mark mark : marks) {
            if (mark instanceof Mark.Shade shade) {
                frame.shade(svg, shade);
            }
        }
        frame.axes(svg);
        for (Mark mark : marks) {
            frame.mark(svg, mark);
        }
    }

    /** The drawing area of this panel at one size. */
    private final class Frame {
        private final double width;
        private final double height;

        Frame(double width, double height) {
            this.width = width - LEFT - RIGHT;
            this.height = height - TOP - BOTTOM;
        }

        private double px(double value) {
            return LEFT + x.share(value) * width;
        }

        private double py(double value) {
            return TOP + (1 - y.share(value)) * height;
        }

        void axes(Svg svg) {
            for (double tick : y.ticks()) {
                svg.line(LEFT, py(tick), LEFT + width, py(tick), "class=\"grid\"");
                svg.text(LEFT - 7, py(tick) + 4, "text-anchor=\"end\"", Axis.number(tick));
            }
            double floor = TOP + height;
            svg.line(LEFT, floor, LEFT + width, floor, "class=\"axis\"");
            for (double tick : x.ticks()) {
                svg.line(px(tick), floor, px(tick), floor + 4, "class=\"axis\"");
                svg.text(px(tick), floor + 18, "text-anchor=\"middle\"", Axis.number(tick));
            }
            svg.text(LEFT + width / 2, floor + 37, "text-anchor=\"middle\"", x.label());
            double middle = TOP + height / 2;
            svg.text(
                    14,
                    middle,
                    "text-anchor=\"middle\" transform=\"rotate(-90 14 " + Svg.number(middle) + ")\"",
                    y.label());
        }

        void mark(Svg svg, Mark mark) {
            if (mark instanceof Mark.Line line) {
                svg.path(
                        path(line.points(), "M"),
                        "class=\"line\" stroke=\"" + line.colour() + "\""
                                + (line.dashed() ? " stroke-dasharray=\"5 4\"" : ""));
            } else if (mark instanceof Mark.Band band) {
                List<Point> back = new ArrayList<>(band.lower());
                Collections.reverse(back);
                svg.path(
                        path(band.upper(), "M") + " " + path(back, "L") + " Z",
                        "fill=\"" + band.colour() + "\" fill-opacity=\"0.22\"");
            } else if (mark instanceof Mark.Dots dots) {
                svg.dots(dots.colour(), dots.opacity());
                for (Point point : dots.points()) {
                    svg.dot(px(point.x()), py(point.y()), dots.radius());
                }
                svg.endGroup();
            }
        }

        void shade(Svg svg, Mark.Shade shade) {
            double left = px(shade.from());
            double right = px(shade.until());
            svg.rectangle(left, TOP, right - left, height, "class=\"shade\"");
            svg.text((left + right) / 2, TOP + 14, "text-anchor=\"middle\"", shade.text());
        }

        private String path(List<Point> points, String first) {
            StringBuilder path = new StringBuilder();
            for (Point point : points) {
                path.append(path.length() == 0 ? first : " L")
                        .append(Svg.number(px(point.x())))
                        .append(' ')
                        .append(Svg.number(py(point.y())));
            }
            return path.toString();
        }
    }
}
