package io.redrive.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.RedrivePlan;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One shop and one browser for all test classes with a browser. The console is mounted at a path of the shop's choice, below the
 * shop's context path, behind the shop's form login. A test fails when the browser complained.
 */
final class BrowsedShop implements BeforeAllCallback, AfterEachCallback {

    private static final double PATIENCE = 30_000;

    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private Started started;

    /** The parts that all test classes share. */
    private static final class Started implements AutoCloseable {
        private final Chromium chromium = Chromium.start();
        private final EventStore store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        private final ConfigurableApplicationContext shop = Shop.start(
                Map.of(
                        "store",
                        store,
                        "runs",
                        Work.runs(),
                        "accounts",
                        new PoliciesPageIT.TwoUsers(),
                        "routes",
                        new ShownRoutes()),
                "redrive.console.path=/ops/queue",
                "server.servlet.context-path=/shop");
        private final Proposal proposal;
        private final String operation;
        private final String token;
        /** The cookies of users who have passed the login. */
        private final Map<String, String> signedIn = new HashMap<>();

        Started() {
            PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
            Incident.fill(store, Instant.now());
            Work.events(store, Instant.now());
            Work.flows(store, Instant.now());
            proposal = Operations.of(store, new Operator("helper", Role.ASSISTANT, "mcp"))
                    .proposals()
                    .repair(
                            LetterSelection.ofIds(
                                    List.of(newest(store, "order.paid").id())),
                            RepairExpression.compile("$ ~> |$|{\"currency\": \"EUR\"}|"),
                            "the order lacks a currency");
            operation = Operations.of(store, new Operator("ann", Role.OPERATOR, "test"))
                    .redrives()
                    .preview(LetterSelection.matching(LetterFilter.ALL.withName("invoice.*")), RedrivePlan.CANARY)
                    .id();
            token = Operations.of(store, new Operator("ada", Role.ADMIN, "test"))
                    .tokens()
                    .create("checkout", Role.PUBLISHER, List.of(), Optional.empty())
                    .token()
                    .prefix();
        }

        @Override
        public void close() {
            shop.close();
            chromium.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(BrowsedShop.class))
                .computeIfAbsent(Started.class, key -> new Started(), Started.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        contexts.forEach(BrowserContext::close);
        contexts.clear();
        List<String> unexpected = complaints.stream()
                .filter(complaint -> expected.stream().noneMatch(complaint::contains))
                .toList();
        complaints.clear();
        expected.clear();
        assertThat(unexpected).as("what the browser complained about").isEmpty();
    }

    EventStore store() {
        return started.store;
    }

    /** Returns the address of a page of the console. */
    String url(String path) {
        return site() + "/ops/queue" + path;
    }

    private String site() {
        return Shop.urlOf(started.shop) + "/shop";
    }

    /** Returns a proposal that waits for a decision. */
    Proposal proposal() {
        return started.proposal;
    }

    /** Returns the id of a redrive operation that was not started. */
    String operation() {
        return started.operation;
    }

    /** Returns the beginning of a token. */
    String token() {
        return started.token;
    }

    DeadLetter newest(String name) {
        return newest(started.store, name);
    }

    private static DeadLetter newest(EventStore store, String name) {
        return store.deadLetters()
                .newest(LetterFilter.ALL.withName(name), Long.MAX_VALUE, 1)
                .get(0);
    }

    /** Lets the browser complain with this text during the test. */
    void expect(String complaint) {
        expected.add(complaint);
    }

    Page as(String user) {
        return as(user, new Browser.NewContextOptions());
    }

    /** Returns a page of a user who has passed the login. */
    Page as(String user, Browser.NewContextOptions options) {
        String cookies = started.signedIn.computeIfAbsent(user, this::signIn);
        BrowserContext context = started.chromium.browser().newContext(options.setStorageState(cookies));
        contexts.add(context);
        context.setDefaultTimeout(PATIENCE);
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            // The shop itself has no icon.
            if (message.type().equals("error") && !message.location().contains("favicon.ico")) {
                complaints.add(message.text());
            }
        });
        page.onDialog(dialog -> complaints.add("a dialog opened: " + dialog.message()));
        return page;
    }

    private String signIn(String user) {
        try (BrowserContext context = started.chromium.browser().newContext()) {
            Page page = context.newPage();
            Chromium.signIn(page, site(), user);
            assertThat(page.locator("body")).containsText("the shop");
            return context.storageState();
        }
    }

    static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    static void headed(Page page, String words) {
        assertThat(page.locator("h1")).containsText(words);
    }
}
