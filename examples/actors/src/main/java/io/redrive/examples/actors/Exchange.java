package io.redrive.examples.actors;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** Stands for a remote service with frequent failures. */
@Component
class Exchange {

    /** A failure for which a retry is useless. */
    static final class UnknownCurrencyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnknownCurrencyException(String currency) {
            super("unknown currency " + currency);
        }
    }

    private record Listing(String rate, int failures) {}

    private static final Map<String, Listing> LISTINGS = Map.of(
            "EUR", new Listing("0.92", 0),
            "GBP", new Listing("0.79", 1),
            "JPY", new Listing("151.20", 2),
            "CHF", new Listing("0.88", Integer.MAX_VALUE));

    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    BigDecimal rate(String currency) throws IOException {
        Listing listing = LISTINGS.get(currency);
        if (listing == null) {
            throw new UnknownCurrencyException(currency);
        }
        int call = calls.computeIfAbsent(currency, first -> new AtomicInteger()).incrementAndGet();
        if (call <= listing.failures()) {
            throw new IOException("no connection to the exchange of " + currency);
        }
        return new BigDecimal(listing.rate());
    }
}
