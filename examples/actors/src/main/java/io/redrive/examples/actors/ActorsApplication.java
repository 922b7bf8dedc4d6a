package io.redrive.examples.actors;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Asks actors for exchange rates, prints the answers, and exits. */
@SpringBootApplication
public class ActorsApplication {

    public static void main(String[] args) {
        // Closed at once when the tour is over: the actor system ends with the application.
        SpringApplication.run(ActorsApplication.class, args).close();
    }
}
