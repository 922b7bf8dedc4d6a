package io.redrive.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterSelection;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Proposal;
import io.redrive.operations.RepairExpression;
import io.redrive.operations.Role;
import io.redrive.pipeline.EventPolicies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;

/** The console in a real browser, at a path of the application's choice, below its context path, behind its form login. */
class MountedStoryIT {

    private static final double PATIENCE = 30_000;

    private static Chromium chromium;
    private static ConfigurableApplicationContext shop;
    private static EventStore store;
    private static String site;
    private static String base;
    private static Proposal proposal;

    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
        store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        shop = Shop.start(
                Map.of("store", store, "accounts", new PoliciesPageIT.TwoUsers(), "routes", new ShownRoutes()),
                "redrive.console.path=/ops/queue",
                "server.servlet.context-path=/shop");
        site = Shop.urlOf(shop) + "/shop";
        base = site + "/ops/queue";
        Incident.fill(store, Instant.now());
        proposal = Operations.of(store, new Operator("helper", Role.ASSISTANT, "mcp"))
                .proposals()
                .repair(
                        LetterSelection.ofIds(List.of(newest("order.paid").id())),
                        RepairExpression.compile("$ ~> |$|{\"currency\": \"EUR\"}|"),
                        "the order lacks a currency");
    }

    @AfterAll
    static void stop() {
        if (chromium != null) {
            shop.close();
            chromium.close();
        }
    }

    @AfterEach
    void leave() {
        contexts.forEach(BrowserContext::close);
        assertThat(complaints).as("what the browser complained about").isEmpty();
    }

    private static DeadLetter newest(String name) {
        return store.deadLetters()
                .newest(LetterFilter.ALL.withName(name), Long.MAX_VALUE, 1)
                .get(0);
    }

    private Page as(String user, Browser.NewContextOptions options) {
        BrowserContext context = chromium.browser().newContext(options);
        contexts.add(context);
        context.setDefaultTimeout(PATIENCE);
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            boolean expected = message.location().contains("favicon.ico");
            if (message.type().equals("error") && !expected) {
                complaints.add(message.text());
            }
        });
        Chromium.signIn(page, site, user);
        return page;
    }

    private Page as(String user) {
        return as(user, new Browser.NewContextOptions());
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    private static List<String> pages() {
        return List.of(
                "",
                "/causes?show=all",
                "/cause?cause=" + newest("invoice.sent").fingerprint(),
                "/letters",
                "/letters/" + newest("invoice.sent").id(),
                "/letters/" + newest("invoice.sent").id() + "/edit",
                "/redrive?name=invoice.*",
                "/purge?name=invoice.*",
                "/operations",
                "/pauses",
                "/policies",
                "/policies?name=order.paid",
                "/policies/draft?pattern=order.*&sent=1&max-attempts=6&max-duration=20s",
                "/policies/replay?pattern=order.*&sent=1&max-attempts=6",
                "/proposals?show=all",
                "/proposals/" + proposal.number(),
                "/webhooks",
                "/webhooks/billing",
                "/access",
                "/record");
    }

    @Test
    void a_viewer_can_press_no_button_that_changes_something_on_any_page() {
        Page page = as("vic");
        for (String path : pages()) {
            page.navigate(base + path);
            assertThat(page.locator("form[method=post] button:not(:disabled)").all())
                    .as(path)
                    .isEmpty();
            for (Locator disabled :
                    page.locator("form[method=post] button:disabled").all()) {
                assertThat(disabled.getAttribute("title")).as(path).isNotBlank();
            }
        }
    }

    @Test
    void no_page_is_wider_than_a_narrow_phone() {
        Page page = as("ada", new Browser.NewContextOptions().setViewportSize(360, 780));
        for (String path : pages()) {
            page.navigate(base + path);
            assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                    .as(path)
                    .isLessThanOrEqualTo(360);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void new_pages_have_no_serious_barrier(ColorScheme scheme) {
        Page page = as("vic", new Browser.NewContextOptions().setColorScheme(scheme));
        for (String path : pages().subList(10, pages().size())) {
            page.navigate(base + path);
            List<Rule> violations = new AxeBuilder(page).analyze().getViolations();
            assertThat(violations.stream()
                            .filter(rule -> rule.getImpact().equals("serious")
                                    || rule.getImpact().equals("critical"))
                            .map(rule ->
                                    rule.getId() + " " + rule.getNodes().get(0).getHtml()))
                    .as(path)
                    .isEmpty();
        }
    }

    @Test
    void a_policy_is_tried_while_typing_and_shared() {
        Page page = as("ann");
        page.navigate(base + "/policies");
        page.locator("a.row", new Page.LocatorOptions().setHasText("order.*")).click();
        page.locator("input[name=max-attempts]:not([type=hidden])").pressSequentially("7");
        assertThat(page.locator("#sentence")).containsText("7 attempts, waits of at most");
        assertThat(page.locator("input[name=max-attempts]:not([type=hidden])")).isFocused();
        assertThat(page.locator("#replayed")).containsText("tried at least once more");
        page.locator("input[name=initial-delay]:not([type=hidden])").pressSequentially("soon");
        assertThat(page.locator("#effect .complaint")).containsText("initial-delay");
        assertThat(page.locator("#lost")).isHidden();
        page.locator("input[name=initial-delay]:not([type=hidden])").fill("");
        button(page, "Share with all nodes").click();
        assertThat(page.locator(".notice")).containsText("order.* has 7 attempts");
        assertThat(EventPolicies.shared(store.notes()).get("order.*")).isEqualTo(Map.of("max-attempts", "7"));
        page.locator("a.row", new Page.LocatorOptions().setHasText("order.*")).click();
        button(page, "Remove the shared settings").click();
        assertThat(page.locator(".notice")).containsText("removed");
    }

    @Test
    void a_policy_is_tried_without_javascript() {
        Page page = as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(base + "/policies/draft?pattern=tax.*");
        page.fill("[name=max-attempts]", "4");
        page.selectOption("[name=backoff]", "fixed");
        button(page, "Show the effect").click();
        assertThat(page).hasURL(Pattern.compile("max-attempts=4"));
        assertThat(page.locator("h1")).containsText("4 attempts");
        page.getByText("Replay the failures of the last day").click();
        assertThat(page.locator("#replayed")).containsText("No failure of the last day could be replayed");
    }

    @Test
    void of_two_operators_who_edit_a_letter_the_second_is_told() {
        String path = base + "/letters/" + newest("invoice.sent").id() + "/edit";
        Page ann = as("ann");
        Page ada = as("ada");
        for (Page page : List.of(ann, ada)) {
            page.navigate(path);
            page.fill("textarea[name=payload]", "{\"by\": \"" + (page == ann ? "ann" : "ada") + "\"}");
            button(page, "Show the difference").first().click();
        }
        button(ada, "Save").click();
        assertThat(ada.locator(".notice")).containsText("was changed");
        button(ann, "Save").click();
        assertThat(ann.locator(".complaint")).containsText("somebody changed the payload");
        assertThat(store.deadLetters()
                        .find(newest("invoice.sent").id())
                        .orElseThrow()
                        .event()
                        .text())
                .contains("ada");
        complaints.removeIf(complaint -> complaint.contains("status of 422"));
    }

    @Test
    void of_two_operators_who_redrive_a_letter_the_second_redrives_nothing() {
        long id = newest("ml.*").id();
        Page ann = as("ann");
        Page ada = as("ada");
        for (Page page : List.of(ann, ada)) {
            page.navigate(base + "/redrive?id=" + id);
        }
        button(ada, "Redrive 1 letter").click();
        assertThat(ada.locator("h1")).containsText("1 of 1 letter sent");
        button(ann, "Redrive 1 letter").click();
        assertThat(ann.locator("h1")).not().containsText("1 of 1 letter sent");
        assertThat(store.deadLetters().find(id)).isEmpty();
        assertThat(store.redrives().list(100).stream()
                        .mapToLong(operation -> operation.counts().redriven())
                        .sum())
                .isEqualTo(1);
        complaints.removeIf(complaint -> complaint.contains("status of 409"));
    }

    @Test
    void a_proposal_on_the_overview_is_rejected_by_a_person() {
        Page page = as("ann");
        page.navigate(base);
        page.locator("a.row", new Page.LocatorOptions().setHasText("repair #" + proposal.number()))
                .click();
        assertThat(page.locator("h1")).containsText("helper asks to repair 1 letter");
        page.fill("[name=reason]", "orders are fine as they are");
        button(page, "Reject").click();
        assertThat(page.locator(".notice").first()).containsText("is rejected: orders are fine");
    }
}
