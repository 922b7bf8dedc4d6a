package io.redrive.cli.demo;

import io.redrive.cli.command.Version;
import io.redrive.cli.policy.ScheduleTable;
import io.redrive.core.Backoff;
import io.redrive.core.CircuitBreaker;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import io.redrive.core.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Plays five scenes, each a call of a typical application. Only the answers of the server are staged. */
final class CallsDemo {

    private static final Duration OPEN_FOR = Duration.ofSeconds(1);

    private final RetryPolicy policy = RetryPolicy.builder()
            .maxAttempts(4)
            .backoff(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(10), 2.0))
            .jitter(0.2)
            .retryOn(IOException.class)
            .retryOnStatus(429, 500, 502, 503, 504)
            .build();

    private final FlakyServer server;
    private final CallsScreen screen;
    private final Time time;
    private final HttpClient client = HttpClient.newHttpClient();

    CallsDemo(FlakyServer server, CallsScreen screen, Time time) {
        this.server = server;
        this.screen = screen;
        this.time = time;
    }

    void play() throws InterruptedException {
        screen.say("Redrive " + Version.number() + " against a flaky HTTP server on " + server.address());
        try (CallsLog log = new CallsLog(screen)) {
            flaky();
            exhausted();
            notRetryable();
            rateLimited();
            breaker();
        }
        explained();
        next();
    }

    private void flaky() {
        screen.scene("A flaky call: two failures, then an answer", policy.toString());
        FlakyServer.Script script = server.script("/flaky", 503, 503, 200);
        retry("greeting").run(() -> get(script));
    }

    private void exhausted() {
        screen.scene("A call that never recovers ends, and logs one error");
        FlakyServer.Script script = server.script("/broken", 500);
        retry("report").run(() -> get(script));
    }

    private void notRetryable() {
        screen.scene("A mistake is not repeated: 404 is not among the statuses to retry");
        FlakyServer.Script script = server.script("/missing", 404);
        retry("lookup").run(() -> get(script));
    }

    private void rateLimited() {
        screen.scene("429 with Retry-After: the wait is never shorter than the server asks for");
        FlakyServer.Script script = server.script("/limited", 429, 200);
        retry("quota").run(() -> get(script));
    }

    private void breaker() throws InterruptedException {
        screen.scene("A circuit breaker stops calling what keeps failing, then tries again");
        CircuitBreaker breaker = CircuitBreaker.builder("stock")
                .failureCount(2)
                .openFor(OPEN_FOR)
                .trialCalls(1)
                .time(time)
                .listener(screen)
                .build();
        RetryPolicy twice = policy.toBuilder()
                .maxAttempts(2)
                .backoff(Backoff.fixed(Duration.ofMillis(100)))
                .build();
        Retry stock = Retry.with(twice).breaker(breaker).time(time).listener(screen);
        FlakyServer.Script script = server.script("/stock", 503, 503, 503, 503, 200);
        for (int call = 1; call <= 3; call++) {
            int before = script.requests().get();
            screen.sayFaintly("   call " + call);
            stock.run(() -> get(script));
            if (script.requests().get() == before) {
                screen.sayFaintly("   the server was left alone");
            }
        }
        time.sleep(OPEN_FOR);
        screen.sayFaintly("   call 4, a second later");
        stock.run(() -> get(script));
    }

    private void explained() {
        screen.scene("What a policy does can be known before it runs: redrive policy explain");
        Schedule schedule = policy.explain();
        new ScheduleTable(schedule, schedule.warnings())
                .lines(screen.ansi())
                .forEach(line -> screen.say(line.isEmpty() ? line : "   " + line));
    }

    private void next() {
        screen.say("");
        screen.say("Next:");
        screen.say("   redrive policy presets                        the policies to start from");
        screen.say("   redrive policy explain --preset visibility    when would it retry?");
        screen.say("   README.md                                     the same in fifteen lines of Java");
        screen.say("   docs/guide                                    how to use it well");
    }

    private Retry retry(String name) {
        return Retry.with(policy).named(name).time(time).listener(screen);
    }

    private String get(FlakyServer.Script script) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(script.uri())
                .timeout(Duration.ofSeconds(5))
                .build();
        return HttpStatusException.check(client.send(request, BodyHandlers.ofString()), time)
                .body();
    }
}
