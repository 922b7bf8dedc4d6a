package io.redrive.items.report;

/** Text as the content or the attribute of an HTML element. */
final class HtmlText {

    private HtmlText() {}

    /** Returns the text with its special characters escaped; control characters, except line breaks, become spaces. */
    static String escaped(String text) {
        StringBuilder html = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> html.append(Character.isISOControl(c) && c != '\n' ? ' ' : c);
            }
        }
        return html.toString();
    }
}
