package io.redrive.examples.guide;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures the log lines of a named retry behind {@link System.Logger}. */
final class LogLines {

    private LogLines() {}

    static String ofARecoveryAndAFailure() {
        StringBuilder lines = new StringBuilder();
        Logger logger = Logger.getLogger("io.redrive.core");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.append(String.format("%-7s %s%n", line.getLevel(), line.getMessage()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            RetryPolicy policy = RetryPolicy.builder()
                    .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10), 2.0))
                    .jitter(Jitter.none())
                    .build();
            Retry payments = Retry.with(policy).named("payments").time(new ManualTime());
            fail(payments, 2);
            fail(payments, 3);
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
        return lines.toString();
    }

    private static void fail(Retry payments, int times) {
        AtomicInteger left = new AtomicInteger(times);
        payments.run(() -> {
            if (left.getAndDecrement() > 0) {
                throw new IOException("connection reset");
            }
            return "charged";
        });
    }
}
