package io.redrive.examples.actors;

import io.micrometer.core.instrument.MeterRegistry;
import io.redrive.spring.actors.SpringActorSystem;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.CommandLineRunner;
import org.springframework.stereotype.Component;

/** Asks for all rates at once, prints the rates in order, and at the end the numbers of retries. */
@Component
class Tour implements CommandLineRunner, DisposableBean {

    // snippet: talk-to-actors
    private final SpringActorSystem actors;

    CompletionStage<BigDecimal> rate(String currency) {
        return actors.actor(RateActor.class, currency).askWithStatus(RateActor.GetRate::new);
    }
    // end

    private final MeterRegistry meters;

    Tour(SpringActorSystem actors, MeterRegistry meters) {
        this.actors = actors;
        this.meters = meters;
    }

    @Override
    public void run(String... args) {
        List<CompletionStage<String>> lines = List.of("EUR", "GBP", "JPY", "CHF").stream()
                .map(currency -> rate(currency)
                        .thenApply(rate -> "1 USD = " + rate + " " + currency)
                        .exceptionally(failure -> currency + ": " + failure.getMessage()))
                .toList();
        lines.forEach(line -> System.out.println(line.toCompletableFuture().join()));
    }

    /** Prints the counters after all actors have stopped, when the counters no longer change. */
    @Override
    public void destroy() {
        System.out.printf(
                "%.0f retries, %.0f messages recovered, %.0f given up%n",
                total("actor.retry.attempts"), total("actor.retry.success"), total("actor.retry.exhausted"));
    }

    private double total(String name) {
        return meters.find(name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
