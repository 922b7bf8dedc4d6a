package io.redrive.core;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the known name that a mistyped name most likely means. */
final class NearestName {

    private static final int LONGEST = 100;

    private NearestName() {}

    /** Returns the nearest of {@code known}; empty when none is near enough to be worth a guess. */
    static Optional<String> of(String given, Collection<String> known) {
        if (given.length() > LONGEST) {
            return Optional.empty();
        }
        String wanted = plain(given);
        @Nullable String best = null;
        int least = Integer.MAX_VALUE;
        for (String name : known) {
            int distance = distance(wanted, plain(name));
            if (distance < least) {
                least = distance;
                best = name;
            }
        }
        if (best != null && least <= Math.max(1, wanted.length() / 3)) {
            return Optional.of(best);
        }
        return known.stream()
                .filter(name -> wanted.length() > 2 && plain(name).contains(wanted))
                .findFirst();
    }

    /** {@code maxAttempts}, {@code MAX_ATTEMPTS} and {@code max-attempts} are spellings of one name. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    }

    /** Returns how many letters must be inserted, removed, replaced or swapped with their neighbour. */
    private static int distance(String from, String to) {
        int[][] steps = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : leastSteps(steps, from, to, i, j);
            }
        }
        return steps[from.length()][to.length()];
    }

    private static int leastSteps(int[][] steps, String from, String to, int i, int j) {
        int replaced = steps[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
