package io.redrive.examples.migrating;

import java.io.IOException;
import java.time.Duration;
import org.springframework.retry.support.RetryTemplate;

final class WithSpringRetry {

    private WithSpringRetry() {}

    static String charge(Charge charge) throws IOException {
        // snippet: with-spring-retry
        RetryTemplate template = RetryTemplate.builder()
                .maxAttempts(4)
                .exponentialBackoff(Duration.ofMillis(100), 2.0, Duration.ofSeconds(5), true)
                .retryOn(IOException.class)
                .traversingCauses()
                .build();

        String receipt = template.execute(context -> charge.send());
        // end
        return receipt;
    }
}
