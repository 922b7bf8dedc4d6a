package io.redrive.items;

import java.math.BigDecimal;

/** Compares counts with a share of others, in decimals: 29 of 100 is 0.29, which no double multiplication is sure of. */
final class Share {

    private Share() {}

    /** Negative, zero or positive as {@code part} is less than, exactly or more than {@code share} of {@code whole}. */
    static int compare(long part, double share, long whole) {
        return BigDecimal.valueOf(part).compareTo(BigDecimal.valueOf(share).multiply(BigDecimal.valueOf(whole)));
    }
}
