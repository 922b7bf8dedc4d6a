package io.redrive.items;

import java.math.BigDecimal;

/** Compares counts with a share in decimal arithmetic: as doubles, 0.29 * 100 is less than 29. */
final class Share {

    private Share() {}

    /** Returns a negative number, zero or a positive number as {@code part} is less than, equal to or more than the share. */
    static int compare(long part, double share, long whole) {
        return BigDecimal.valueOf(part).compareTo(BigDecimal.valueOf(share).multiply(BigDecimal.valueOf(whole)));
    }
}
