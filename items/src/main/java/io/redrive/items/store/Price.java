package io.redrive.items.store;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The price of a number of units, such as {@code 0.15 USD/1M}: 0.15 US dollars for a million tokens.
 *
 * <pre>{@code
 * Price price = Price.parse("0.15 USD/1M");
 * }</pre>
 *
 * @param amount the money for {@code per} units, without trailing zeros
 * @param currency three capital letters, such as {@code USD}; empty when not named
 * @param per the number of units that cost {@code amount}
 */
public record Price(BigDecimal amount, String currency, long per) {

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*([A-Z]{3})?\\s*/\\s*(\\d[\\d_]{0,11})\\s*([kM]?)");
    private static final long THOUSAND = 1_000;
    private static final long MILLION = 1_000_000;
    private static final BigDecimal MOST_MONEY = BigDecimal.valueOf(1_000_000_000);
    private static final int DIGITS = 9;
    private static final long MOST_UNITS = 1_000_000_000_000L;

    /** Refuses negative or huge amounts, more than 9 decimals, unknown forms of currency, and units outside 1 to 10^12. */
    public Price {
        Objects.requireNonNull(currency, "currency");
        amount = amount.signum() == 0 ? BigDecimal.ZERO : amount.stripTrailingZeros();
        if (amount.signum() < 0 || amount.compareTo(MOST_MONEY) >= 0 || amount.scale() > DIGITS) {
            throw new IllegalArgumentException("price must be between 0 and " + MOST_MONEY + ", with at most " + DIGITS
                    + " digits after the point, got " + amount);
        }
        if (!currency.isEmpty() && !currency.matches("[A-Z]{3}")) {
            throw new IllegalArgumentException(
                    "currency of a price must be three capital letters such as USD, or empty, got '" + currency + "'");
        }
        if (per < 1 || per > MOST_UNITS) {
            throw new IllegalArgumentException("price must be for 1 to " + MOST_UNITS + " units, got " + per);
        }
    }

    /**
     * Reads {@code 0.15 USD/1M}, {@code 0.15/1M}, {@code 2 EUR/1k} or {@code 0.002/1_000}.
     *
     * @throws IllegalArgumentException when the text has another form
     */
    public static Price parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "must be money for a number of units, such as 0.15/1M, 0.15 USD/1M or 2 EUR/1k, got '" + text
                            + "'");
        }
        long factor = form.group(4).isEmpty() ? 1 : form.group(4).equals("k") ? THOUSAND : MILLION;
        long units = Long.parseLong(form.group(3).replace("_", ""));
        String currency = form.group(2) == null ? "" : form.group(2);
        return new Price(new BigDecimal(form.group(1)), currency, units * factor);
    }

    /** Returns the price of this number of units. */
    public BigDecimal of(long units) {
        return amount.multiply(BigDecimal.valueOf(units)).divide(BigDecimal.valueOf(per), MathContext.DECIMAL64);
    }

    /** Returns the form that {@link #parse} reads. */
    @Override
    public String toString() {
        String units = per % MILLION == 0 ? per / MILLION + "M" : per % THOUSAND == 0 ? per / THOUSAND + "k" : per + "";
        return String.format(
                Locale.ROOT, "%s%s/%s", amount.toPlainString(), currency.isEmpty() ? "" : " " + currency, units);
    }
}
