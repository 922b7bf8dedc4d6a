package io.redrive.cli.stages;

import java.util.Collection;
import java.util.Optional;

/** Finds the word that somebody meant. */
final class Words {

    /** Two letters wrong may be a slip; three are another word. */
    private static final int MOST_SLIPS = 2;

    private Words() {}

    /** The known word that differs from {@code word} by a slip of the finger. */
    static Optional<String> nearest(String word, Collection<String> known) {
        String best = null;
        int fewest = Math.min(MOST_SLIPS, word.length() / 2) + 1;
        for (String candidate : known) {
            int slips = slips(word, candidate);
            if (slips < fewest) {
                fewest = slips;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** How many letters must be added, left out or replaced to make one of the other (Levenshtein). */
    private static int slips(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
