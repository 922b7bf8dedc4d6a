package io.redrive.events.redaction;

/** Limits the steps of regular expressions: an expression that backtracks without end must not hold a thread. */
final class SearchBudget {

    private static final long STEPS = 2_000_000;
    private static final long STEPS_PER_CHARACTER = 50;

    private long left;

    /** Allows steps for some patterns over so many characters. */
    SearchBudget(int patterns, long characters) {
        left = STEPS + STEPS_PER_CHARACTER * patterns * characters;
    }

    private void spend() {
        if (--left < 0) {
            throw new Exhausted();
        }
    }

    /** Returns a view of the text whose readers spend this budget. */
    CharSequence counted(String text) {
        return new Counted(text);
    }

    /** Ends a search that took too many steps. */
    static final class Exhausted extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Exhausted() {
            super("a pattern took too many steps", null, false, false);
        }
    }

    private final class Counted implements CharSequence {

        private final String text;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            spend();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.substring(start, end));
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
