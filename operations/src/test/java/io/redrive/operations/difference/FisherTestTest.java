package io.redrive.operations.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.junit.jupiter.api.Test;

class FisherTestTest {

    @Test
    void the_probability_is_the_hypergeometric_one() {
        for (int letters = 1; letters <= 9; letters++) {
            for (int handled = 1; handled <= 9; handled++) {
                for (int a = 0; a <= letters; a++) {
                    for (int b = 0; b <= handled; b++) {
                        double expected = exact(a, letters, b, handled);
                        assertThat(FisherTest.chance(new Share(a, letters, 0), new Share(b, handled, 0)))
                                .as("%d of %d, %d of %d", a, letters, b, handled)
                                .isCloseTo(expected, within(1e-9));
                    }
                }
            }
        }
    }

    @Test
    void large_samples_neither_overflow_nor_take_long() {
        assertThat(FisherTest.chance(new Share(5_000_000, 5_000_000, 0), new Share(0, 1_000, 0)))
                .isBetween(0.0, 1e-300);
        assertThat(FisherTest.chance(new Share(2_500_000, 5_000_000, 0), new Share(500, 1_000, 0)))
                .isBetween(0.5, 1.0);
    }

    private static double exact(int a, int letters, int b, int handled) {
        boolean more = (double) a / letters >= (double) b / handled;
        int having = more ? a : letters - a;
        int marked = having + (more ? b : handled - b);
        BigInteger sum = BigInteger.ZERO;
        for (int k = having; k <= Math.min(letters, marked); k++) {
            sum = sum.add(choose(marked, k).multiply(choose(letters + handled - marked, letters - k)));
        }
        BigDecimal tail =
                new BigDecimal(sum).divide(new BigDecimal(choose(letters + handled, letters)), MathContext.DECIMAL64);
        return Math.min(1, 2 * tail.doubleValue());
    }

    private static BigInteger choose(int n, int k) {
        BigInteger result = BigInteger.ONE;
        if (k < 0 || k > n) {
            return BigInteger.ZERO;
        }
        for (int i = 0; i < k; i++) {
            result = result.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
        }
        return result;
    }
}
