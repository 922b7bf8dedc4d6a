package io.redrive.operations;

import java.math.BigDecimal;

/** A number of a payload with the digits of its source. The engine computes with its double value. */
final class ExactNumber extends Number {

    private static final long serialVersionUID = 1L;

    private final String digits;

    ExactNumber(String digits) {
        this.digits = digits;
    }

    BigDecimal value() {
        return new BigDecimal(digits);
    }

    @Override
    public int intValue() {
        return (int) doubleValue();
    }

    @Override
    public long longValue() {
        return (long) doubleValue();
    }

    @Override
    public float floatValue() {
        return (float) doubleValue();
    }

    @Override
    public double doubleValue() {
        return Double.parseDouble(digits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExactNumber number && number.digits.equals(digits);
    }

    @Override
    public int hashCode() {
        return digits.hashCode();
    }

    @Override
    public String toString() {
        return digits;
    }
}
