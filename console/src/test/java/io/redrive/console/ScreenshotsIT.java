package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunStore;
import io.redrive.operations.Accounts;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.context.ConfigurableApplicationContext;

/** Makes pictures of every page, wide and narrow, light and dark: {@code mvn -pl console -Pscreenshots verify}. */
@EnabledIfSystemProperty(named = "screenshots", matches = "true")
class ScreenshotsIT {

    private static final Path FOLDER = Path.of("target", "screenshots");

    @Test
    void every_page_has_a_picture() {
        EventStore store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        BadWeek.fill(store, Instant.now());
        Work.chain(store, Instant.now());
        Work.events(store, Instant.now());
        Work.flows(store, Instant.now());
        RunStore runs = Work.runs();
        Map<String, Object> beans =
                Map.of("store", store, "accounts", new Users(), "routes", new ShownRoutes(), "runs", runs);
        try (ConfigurableApplicationContext shop = Shop.start(beans, "redrive.store.path=/var/lib/shop/redrive.db");
                Chromium chromium = Chromium.start()) {
            Map<String, String> pages = pages(store, runs);
            for (ColorScheme scheme : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
                for (int width : new int[] {1440, 390}) {
                    take(chromium.browser(), Shop.urlOf(shop), pages, scheme, width);
                }
            }
            assertThat(FOLDER.toFile().list()).hasSizeGreaterThanOrEqualTo(4 * pages.size());
        }
    }

    private static void take(Browser browser, String url, Map<String, String> pages, ColorScheme scheme, int width) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, width > 500 ? 900 : 1400)
                .setColorScheme(scheme));
        Page page = context.newPage();
        Chromium.signIn(page, url, "ada");
        pages.forEach((name, path) -> {
            page.navigate(url + path);
            // Parts that the browser fetches after the page. The stream of changes never ends, so the network is never
            // idle.
            PlaywrightAssertions.assertThat(page.locator("[hx-trigger=load]")).hasCount(0);
            String file = name + "-" + width + "-" + scheme.name().toLowerCase(java.util.Locale.ROOT) + ".png";
            page.screenshot(new Page.ScreenshotOptions().setPath(FOLDER.resolve(file)));
        });
        context.close();
    }

    private static Map<String, String> pages(EventStore store, RunStore runs) {
        Instant now = Instant.now();
        Operations ann = Operations.of(store, new Operator("ann", Role.ADMIN, "console, 10.2.0.7"));
        DeadLetter order = newest(store, "order.paid");
        DeadLetter invoice = store.deadLetters()
                .newest(LetterFilter.ALL.withErrorType("HttpTimeoutException"), Long.MAX_VALUE, 1)
                .get(0);
        ann.causes().assign(invoice.fingerprint(), "ben");
        ann.causes().note(invoice.fingerprint(), "The tax service is slow since its move; ticket with their team.");
        ann.causes().ticket(invoice.fingerprint(), "https://tickets.example/TAX-81");
        ann.causes().resolve(newest(store, "mail.*").fingerprint(), Optional.of(new ServiceVersion("2.4.0")));
        ann.pauses()
                .pause(
                        new NamePattern("tax.*"),
                        "tax service is down, see TAX-81",
                        Optional.of(now.plus(Duration.ofHours(2))));
        ann.letters()
                .edit(
                        order.id(),
                        "{\"order\": 48119, \"amount\": 78.90, \"currency\": \"EUR\", \"gift\": false}"
                                .getBytes(StandardCharsets.UTF_8));
        RedriveOperation canary = ann.redrives()
                .preview(
                        LetterSelection.matching(LetterFilter.ALL.withName("order.paid"))
                                .atMost(60),
                        RedrivePlan.CANARY);
        ann.redrives().start(canary.id());
        awaitEnd(ann, canary.id());
        RedriveOperation preview = ann.redrives()
                .preview(LetterSelection.matching(LetterFilter.ALL.withName("invoice.*")), RedrivePlan.CANARY);

        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "/redrive");
        pages.put("causes", "/redrive/causes?show=all");
        pages.put("cause", "/redrive/cause?cause=" + newest(store, "order.paid").fingerprint());
        pages.put("letters", "/redrive/letters");
        pages.put("letters-filtered", "/redrive/letters?name=order.*&since=24h");
        pages.put("letter", "/redrive/letters/" + newest(store, "order.paid").id());
        pages.put("letter-edited", "/redrive/letters/" + order.id());
        pages.put("edit", "/redrive/letters/" + invoice.id() + "/edit");
        pages.put("redrive", "/redrive/redrive?name=order.*");
        pages.put("purge", "/redrive/purge?name=mail.*");
        pages.put(
                "repair",
                "/redrive/repair?name=order.paid&expression=" + Query.encoded("$ ~> |$|{\"currency\": \"EUR\"}|"));
        pages.put("operations", "/redrive/operations");
        pages.put("operation", "/redrive/operations/" + canary.id());
        pages.put("operation-preview", "/redrive/operations/" + preview.id());
        pages.put("pauses", "/redrive/pauses");
        pages.put("policies", "/redrive/policies");
        pages.put(
                "policy-draft",
                "/redrive/policies/draft?pattern=order.*&sent=1&max-attempts=6&initial-delay=2s&max-duration=1m");
        pages.put("proposals", "/redrive/proposals");
        pages.put("proposal", "/redrive/proposals/" + proposed(store));
        pages.put("webhooks", "/redrive/webhooks");
        pages.put("webhook", "/redrive/webhooks/crm");
        pages.put("kafka", "/redrive/kafka?partitions=1");
        pages.put("access", "/redrive/access");
        pages.put(
                "access-revoke",
                "/redrive/access/revoke?prefix=" + ann.tokens().list().get(0).prefix());
        pages.put("record", "/redrive/record");
        pages.put("events", "/redrive/events");
        pages.put("chain", "/redrive/events?q=" + Work.LONG_CHAIN);
        pages.put("key", "/redrive/events?q=" + Work.KEY);
        pages.put("event", "/redrive/event?id=moved-1");
        pages.put("event-missing", "/redrive/events?q=order-1");
        pages.put("runs", "/redrive/runs");
        pages.put("run", "/redrive/runs/" + Work.RUN);
        pages.put("run-stopped", "/redrive/runs/" + Work.STOPPED);
        pages.put("run-dead", "/redrive/runs/" + Work.RUN + "/dead");
        pages.put("run-reprocess", "/redrive/runs/" + Work.RUN + "/ask/reprocess?stage=summarize");
        pages.put("run-delete", "/redrive/runs/" + Work.RUN + "/ask/delete");
        pages.put(
                "sample",
                "/redrive"
                        + DeadSamplesPage.path(runs.archive()
                                .dead(DeadFilter.ofRun(Work.RUN), 1)
                                .get(0)));
        pages.put("missing", "/redrive/letters/999999");
        return pages;
    }

    /** Lets an assistant ask for a repair, makes tokens, and returns the number of the proposal. */
    private static long proposed(EventStore store) {
        Operations ada = Operations.of(store, new Operator("ada", Role.ADMIN, "console, 10.2.0.8"));
        ada.tokens()
                .create(
                        "checkout",
                        Role.PUBLISHER,
                        List.of(new NamePattern("order.*")),
                        Optional.of(Duration.ofDays(90)));
        ada.tokens().create("night watch", Role.ASSISTANT, List.of(), Optional.of(Duration.ofDays(30)));
        ada.policies().change(new NamePattern("mail.*"), Map.of("max-attempts", "8", "max-duration", "2m"));
        return Operations.of(store, new Operator("night watch", Role.ASSISTANT, "mcp, 10.2.0.9"))
                .proposals()
                .repair(
                        LetterSelection.matching(LetterFilter.ALL.withName("order.paid"))
                                .atMost(40),
                        RepairExpression.compile("$ ~> |$|{\"currency\": \"EUR\"}|"),
                        "All letters lack the currency; every handled order of these customers has EUR.")
                .number();
    }

    private static final class Users implements Accounts {
        @Override
        public List<Account> list() {
            return List.of(
                    new Account("ada", Role.ADMIN),
                    new Account("ann", Role.OPERATOR),
                    new Account("ben", Role.OPERATOR),
                    new Account("vic", Role.VIEWER));
        }

        @Override
        public boolean isRequired() {
            return true;
        }
    }

    private static DeadLetter newest(EventStore store, String name) {
        return store.deadLetters()
                .newest(LetterFilter.ALL.withName(name), Long.MAX_VALUE, 1)
                .get(0);
    }

    private static void awaitEnd(Operations operations, String id) {
        try {
            operations.redrives().follow(id, operation -> operation.state().isEnded(), operation -> {});
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
