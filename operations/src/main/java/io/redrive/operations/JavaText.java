package io.redrive.operations;

/** Any text as a Java string literal in ASCII, so that a text from an event cannot become code. */
final class JavaText {

    private static final int PER_LINE = 90;

    private JavaText() {}

    /** Returns the literal, continued over lines with this indent. */
    static String literal(String text, String indent) {
        StringBuilder code = new StringBuilder("\"");
        int column = 0;
        for (int i = 0; i < text.length(); i++) {
            String escaped = escaped(text.charAt(i));
            code.append(escaped);
            column += escaped.length();
            boolean lineEnds = text.charAt(i) == '\n' || column >= PER_LINE;
            if (lineEnds && i < text.length() - 1) {
                code.append("\"\n").append(indent).append("+ \"");
                column = 0;
            }
        }
        return code.append('"').toString();
    }

    private static String escaped(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            default -> c >= ' ' && c <= '~' ? String.valueOf(c) : String.format("\\u%04x", (int) c);
        };
    }
}
