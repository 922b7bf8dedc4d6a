package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page on finding events shows the output of these commands. With {@code -Dredrive.docs=write}, updates the page first. */
final class FindingEventsPageTest {

    private static final Path PAGE = Path.of("../docs/guide/finding-events.md");

    private final LetterDesk desk = LetterDesk.withJournal();

    @Test
    void the_page_shows_what_the_commands_say() throws IOException {
        orderSeventeen();
        for (String command : List.of("events find order-17 --by correlation", "events show o-17-2")) {
            Ran ran = desk.address("shop.db").run(command);
            String shown = "```\n$ ./redrive " + command + " --store shop.db\n" + ran.err() + ran.out() + "```\n";
            if (System.getProperty("redrive.docs", "check").equals("write")) {
                write(command, shown);
            }
            assertThat(Files.readString(PAGE)).contains(shown);
        }
    }

    private static void write(String command, String shown) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("```\n$ ./redrive " + command);
        int end = page.indexOf("```\n", start + 4) + 4;
        Files.writeString(PAGE, page.substring(0, start) + shown + page.substring(end));
    }

    /** A chain with an event in each state but claimed. */
    private void orderSeventeen() {
        publish(Event.named("order.placed").id("o-17-1"));
        done("shop-1", 12);
        publish(Event.named("order.paid").id("o-17-2"));
        retry(1, Duration.ofSeconds(1));
        retry(2, Duration.ofSeconds(2));
        done("shop-2", 40);
        publish(Event.named("invoice.send").id("o-17-3"));
        Claim claim = claim("shop-1");
        desk.time.advance(Duration.ofSeconds(50));
        AttemptRecord last = attempt(1, "shop-1", "invoice 17 has no address", "dead", "not_retryable");
        desk.store.settle(
                List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, last, "cause", "shop")), desk.time.now());
        publish(Event.named("mail.thanks").id("o-17-4").delay(Duration.ofHours(1)));
        desk.time.advance(Duration.ofMinutes(2));
    }

    private void publish(Event.Builder event) {
        desk.time.advance(Duration.ofSeconds(1));
        desk.store.publish(
                List.of(event.correlationId("order-17")
                        .source("shop")
                        .time(desk.time)
                        .build()),
                desk.time.now());
    }

    private Claim claim(String node) {
        ClaimRequest one = new ClaimRequest(node, Lane.DOMAIN, 1, false, Duration.ofMinutes(1), desk.time.now());
        return desk.store.claim(one).get(0);
    }

    private void done(String node, long millis) {
        Claim claim = claim(node);
        desk.store.settle(List.of(new Settlement.Done(claim, node, Duration.ofMillis(millis))), desk.time.now());
    }

    private void retry(int number, Duration delay) {
        AttemptRecord failed = attempt(number, "shop-1", "payments: connection refused", "retry", "in " + delay);
        desk.store.settle(
                List.of(new Settlement.Retry(claim("shop-1"), desk.time.now().plus(delay), delay, failed)),
                desk.time.now());
        desk.time.advance(delay);
    }

    private AttemptRecord attempt(int number, String node, String message, String decision, String why) {
        return new AttemptRecord(
                number, desk.time.now(), node, Duration.ofMillis(30), "IOException", message, decision, why);
    }
}
