package io.redrive.operations.difference;

/**
 * The probability that chance alone puts so many of the documents with a trait among the letters. Exact: given how many of all
 * documents have the trait, and given that letters and handled events do not differ, the number among the letters follows the
 * hypergeometric distribution (Fisher's exact test).
 */
final class FisherTest {

    private static final double[] LANCZOS = {
        676.5203681218851,
        -1259.1392167224028,
        771.32342877765313,
        -176.61502916214059,
        12.507343278686905,
        -0.13857109526572012,
        9.9843695780195716e-6,
        1.5056327351493116e-7
    };

    private FisherTest() {}

    /** Returns the probability of a distribution at least as uneven in the same direction, doubled for the two directions. */
    static double chance(Share letters, Share handled) {
        boolean more = letters.rate() >= handled.rate();
        long having = more ? letters.having() : letters.of() - letters.having();
        long others = more ? handled.having() : handled.of() - handled.having();
        return Math.min(1, 2 * tail(having, letters.of(), having + others, letters.of() + handled.of()));
    }

    /** Returns the probability of {@code having} or more among {@code drawn} of {@code all}, of which {@code marked} have the trait. */
    private static double tail(long having, long drawn, long marked, long all) {
        long most = Math.min(drawn, marked);
        double term =
                Math.exp(logChoose(marked, having) + logChoose(all - marked, drawn - having) - logChoose(all, drawn));
        double sum = term;
        for (long k = having; k < most; k++) {
            // The ratio of neighbouring terms.
            term *= (double) (marked - k) * (drawn - k) / ((double) (k + 1) * (all - marked - drawn + k + 1));
            sum += term;
            if (term < sum * 1e-16) {
                break;
            }
        }
        return sum;
    }

    private static double logChoose(long n, long k) {
        return logGamma(n + 1.0) - logGamma(k + 1.0) - logGamma(n - k + 1.0);
    }

    /** Lanczos' approximation, for arguments of at least 1. */
    private static double logGamma(double x) {
        double shifted = x - 1;
        double sum = 0.99999999999980993;
        for (int i = 0; i < LANCZOS.length; i++) {
            sum += LANCZOS[i] / (shifted + i + 1);
        }
        double t = shifted + LANCZOS.length - 0.5;
        return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
    }
}
