package io.redrive.examples.migrating;

import java.io.IOException;
import java.time.Duration;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

final class WithSpringFramework {

    private WithSpringFramework() {}

    static String charge(Charge charge) throws RetryException {
        // snippet: with-spring-framework
        RetryPolicy policy = RetryPolicy.builder()
                .maxRetries(3) // four attempts
                .delay(Duration.ofMillis(100))
                .multiplier(2.0)
                .maxDelay(Duration.ofSeconds(5))
                .jitter(Duration.ofMillis(20))
                .includes(IOException.class)
                .build();

        String receipt = new RetryTemplate(policy).execute(() -> charge.send());
        // end
        return receipt;
    }
}
