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
import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import java.nio.charset.StandardCharsets;
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

/** The console in a real browser, mounted in an application behind the application's login. */
class BrowserIT {

    private static final double PATIENCE = 20_000;
    private static final int POLL = 6_000;

    private static Chromium chromium;
    private static ConfigurableApplicationContext shop;
    private static EventStore store;
    private static String url;

    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
        store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        shop = Shop.start(Map.of("store", store, "runs", Work.runs()));
        url = Shop.urlOf(shop);
        Incident.fill(store, Instant.now());
        Work.events(store, Instant.now());
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

    /** Returns a page of a user who has passed the login. */
    private Page as(String user, Browser.NewContextOptions options) {
        BrowserContext context = chromium.browser().newContext(options);
        contexts.add(context);
        context.setDefaultTimeout(PATIENCE);
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            // The shop itself has no icon, and a test that takes the network away expects to be told.
            boolean expected =
                    message.location().contains("favicon.ico") || message.text().contains("ERR_INTERNET_DISCONNECTED");
            if (message.type().equals("error") && !expected) {
                complaints.add(message.text());
            }
        });
        page.onDialog(dialog -> complaints.add("a dialog opened: " + dialog.message()));
        Chromium.signIn(page, url, user);
        return page;
    }

    private Page as(String user) {
        return as(user, new Browser.NewContextOptions());
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    private static void headed(Page page, String words) {
        assertThat(page.locator("h1")).containsText(words);
    }

    private static DeadLetter newest(String name) {
        return store.deadLetters()
                .newest(LetterFilter.ALL.withName(name), Long.MAX_VALUE, 1)
                .get(0);
    }

    private static List<String> pages() {
        long letter = newest("invoice.sent").id();
        return List.of(
                "/redrive",
                "/redrive/causes?show=all",
                "/redrive/cause?cause=" + newest("invoice.sent").fingerprint(),
                "/redrive/cause/differs?cause=" + newest("invoice.sent").fingerprint(),
                "/redrive/letters",
                "/redrive/letters/" + letter,
                "/redrive/letters/" + letter + "/edit",
                "/redrive/redrive?name=invoice.*",
                "/redrive/purge?name=invoice.*",
                "/redrive/repair?name=invoice.*&expression=" + Query.encoded("$ ~> |$|{\"currency\": \"EUR\"}|"),
                "/redrive/operations",
                "/redrive/pauses",
                "/redrive/record",
                "/redrive/events",
                "/redrive/events?q=" + Work.KEY,
                "/redrive/events?q=" + Work.CHAIN,
                "/redrive/event?id=moved-1",
                "/redrive/runs",
                "/redrive/runs/" + Work.RUN,
                "/redrive/runs/" + Work.RUN + "/report",
                "/redrive/runs/" + Work.RUN + "/dead",
                "/redrive/runs/" + Work.RUN + "/ask/delete",
                "/redrive/runs/" + Work.RUN + "/samples/3",
                "/redrive/letters/999999");
    }

    @Test
    void an_operator_goes_from_the_alert_to_the_cause_repairs_and_redrives() {
        Page page = as("ann");
        page.navigate(url + "/redrive");
        page.getByText(Pattern.compile("causes need you")).click();
        page.locator("tr", new Page.LocatorOptions().setHasText("order has no currency"))
                .locator("a.row")
                .first()
                .click();
        headed(page, "IllegalStateException: 120 dead letters now");
        String cause = page.url();
        assertThat(page.locator("#differences")).containsText("order.paid: 120 letters compared with");

        // Redriven as they are, the letters die again: the canary halts after one.
        button(page, "Redrive as a canary…").click();
        headed(page, "Redrive 120 letters?");
        button(page, "Redrive 120 letters").click();
        headed(page, "Halted");
        headed(page, "1 of 120 letters sent, 0 done, 1 dead again");

        page.navigate(cause);
        button(page, "Repair payloads…").click();
        page.fill("[name=expression]", "$ ~> |$|{\"currency\": \"EUR\"}|");
        button(page, "Show the effect").click();
        headed(page, "Of 120 letters, 120 would change");
        assertThat(page.locator(".d-added").first()).containsText("gift");
        button(page, "Apply to 120 letters").click();
        assertThat(page.locator(".notice")).containsText("120 changed");
        button(page, "Redrive 120 letters").click();
        headed(page, "Finished: 120 of 120 letters sent, 120 done");

        page.navigate(cause);
        page.fill("[name=version]", "2.4.0");
        button(page, "Resolve").click();
        assertThat(page.locator("h1 .badge")).hasText("resolved");

        store.publish(
                List.of(Event.named("order.paid")
                        .source("checkout")
                        .json("{\"order\": 1}")
                        .build()),
                Instant.now());
        page.navigate(url + "/redrive");
        assertThat(page.locator(".verdict")).containsText("1 cause came back after its fix");
        page.navigate(url + "/redrive/record");
        for (String action : List.of("redrive", "repair", "resolve")) {
            assertThat(page.locator("tbody")).containsText(action);
        }
    }

    @Test
    void a_viewer_sees_what_others_may_do_and_cannot_do_it() {
        Page page = as("vic");
        page.navigate(url + "/redrive/letters/" + newest("invoice.sent").id());
        for (String name : List.of("Redrive…", "Edit payload…", "Delete…")) {
            assertThat(button(page, name)).isDisabled();
            assertThat(button(page, name)).hasAttribute("title", Pattern.compile("needs the role"));
        }
    }

    @Test
    void texts_of_strangers_run_nothing() {
        String text = "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
        store.deadLetters().importLetters(List.of(Incident.hostile(text, Instant.now())), text, Instant.now());
        DeadLetter letter = newest("order.hostile");
        Page page = as("ann");
        for (String path : List.of(
                "/redrive/letters/" + letter.id(),
                "/redrive/letters?text=" + Query.encoded(text),
                "/redrive/cause?cause=" + Query.encoded(letter.fingerprint()),
                "/redrive/letters/" + letter.id() + "/edit",
                "/redrive/repair?id=" + letter.id() + "&expression=" + Query.encoded(text),
                "/redrive/record",
                "/redrive/causes?show=all")) {
            page.navigate(url + path);
            assertThat(page.evaluate("window.hacked === undefined")).as(path).isEqualTo(true);
            assertThat(page.locator("img")).hasCount(0);
        }
        complaints.removeIf(complaint -> complaint.contains("status of 422"));
    }

    /** Returns a page that cannot open the stream of live updates, as behind a proxy that does not let streams pass. */
    private Page withoutStream(String user) {
        Page page = as(user);
        page.route("**/redrive/stream", route -> route.abort());
        return page;
    }

    @Test
    void the_stream_of_the_server_brings_a_change_to_the_page() {
        Page page = as("vic");
        // Without its timers, the page cannot ask by itself.
        page.addInitScript("window.setTimeout = window.setInterval = () => 0");
        page.navigate(url + "/redrive");
        Locator dead = page.locator("a.big");
        String before = dead.textContent();
        store.deadLetters().importLetters(List.of(Incident.hostile("told", Instant.now())), "test", Instant.now());
        assertThat(dead).not().hasText(before);
        complaints.removeIf(complaint -> complaint.startsWith("htmx:"));
    }

    @Test
    void numbers_refresh_by_themselves_without_a_stream_and_a_lost_connection_is_marked() {
        Page page = withoutStream("vic");
        page.clock().install();
        page.navigate(url + "/redrive");
        Locator dead = page.locator("a.big");
        String before = dead.textContent();
        store.deadLetters().importLetters(List.of(Incident.hostile("live", Instant.now())), "test", Instant.now());
        page.clock().runFor(POLL);
        assertThat(dead).not().hasText(before);
        assertThat(page.locator("#lost")).isHidden();

        page.context().setOffline(true);
        page.clock().runFor(POLL);
        assertThat(page.locator("#lost")).isVisible();
        assertThat(page.locator("#lost")).containsText("not live");
        page.context().setOffline(false);
        page.clock().runFor(POLL);
        assertThat(page.locator("#lost")).isHidden();
        complaints.removeIf(complaint -> complaint.startsWith("htmx:") || complaint.contains("ERR_FAILED"));
    }

    @Test
    void nothing_moves_under_the_mouse() {
        Page page = withoutStream("vic");
        page.clock().install();
        page.navigate(url + "/redrive");
        page.locator("#live tbody tr").first().hover();
        page.evaluate("document.getElementById('live').dataset.kept = 'yes'");
        page.waitForResponse(
                response -> response.url().endsWith("/redrive"),
                () -> page.clock().runFor(POLL));
        assertThat(page.locator("#live")).hasAttribute("data-kept", "yes");
        page.mouse().move(2, 300);
        page.waitForResponse(
                response -> response.url().endsWith("/redrive"),
                () -> page.clock().runFor(POLL));
        assertThat(page.locator("#live[data-kept]")).hasCount(0);
        complaints.removeIf(complaint -> complaint.contains("ERR_FAILED"));
    }

    @Test
    void somebody_who_was_signed_out_is_told_so() {
        Page page = withoutStream("vic");
        page.clock().install();
        page.navigate(url + "/redrive");
        page.context().clearCookies();
        page.clock().runFor(POLL);
        assertThat(page.locator("#lost")).containsText("signed out");
        assertThat(page.locator("h1")).containsText("cause");
        complaints.removeIf(complaint -> complaint.contains("401") || complaint.contains("ERR_FAILED"));
    }

    @Test
    void everything_works_without_javascript() {
        Page page = as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(url + "/redrive/letters");
        page.fill("[name=name]", "mail.*");
        button(page, "Filter").click();
        assertThat(page).hasURL(Pattern.compile("name=mail"));
        page.locator("a.row").first().click();
        button(page, "Edit payload…").click();
        page.fill("textarea[name=payload]", "To: nobody@example.org");
        button(page, "Show the difference").first().click();
        button(page, "Save").click();
        assertThat(page.locator(".notice")).containsText("was changed");
        page.navigate(url + "/redrive/letters?name=mail.*");
        page.locator("[name=id]").first().check();
        button(page, "Redrive selected…").click();
        headed(page, "Redrive 1 letter?");
    }

    @Test
    void an_operator_finds_an_event_and_who_blocks_its_key() {
        Page page = as("vic");
        page.navigate(url + "/redrive/events");
        page.keyboard().press("/");
        page.keyboard().type("moved-3");
        page.keyboard().press("Enter");
        headed(page, "1 event has the id 'moved-3'");
        page.locator("a.row").click();
        headed(page, "stock.moved waits behind event moved-1");
        page.getByText("Show its key").click();
        headed(page, "2 events wait behind it");
        assertThat(page).hasURL(Pattern.compile("by=key"));

        Event event = Event.named("cart.left")
                .source("shop")
                .correlationId("cart-9")
                .json("{\"lines\": [{\"sku\": \"A\"}, {\"sku\": \"B\"}]}")
                .build();
        DeadLetter cart = Incident.letter(event, Reason.TIMEOUT, "Slow", "too slow", Instant.now());
        store.deadLetters().importLetters(List.of(cart), "test", Instant.now());
        page.navigate(url + "/redrive/letters/" + newest("cart.left").id());
        page.locator("[data-find]").fill("sku");
        assertThat(page.locator(".find [aria-live]")).hasText("2 found");
        assertThat(page.locator("#payload .hit").first()).isVisible();
        page.getByText("cart-9").first().click();
        headed(page, "1 event has the correlation id 'cart-9'");
    }

    @Test
    void an_operator_reprocesses_dead_samples_without_javascript_and_sees_how_to_resume() {
        Page page = as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(url + "/redrive/runs");
        page.locator("a.row", new Page.LocatorOptions().setHasText(Work.STOPPED))
                .click();
        assertThat(page.locator("pre").first()).containsText("redrive runs resume " + Work.STOPPED);
        assertThat(button(page, "Delete…")).isDisabled();
        page.navigate(url + "/redrive/runs/" + Work.RUN + "/dead");
        button(page, "Reprocess all…").click();
        headed(page, "Reprocess 4 dead samples of " + Work.RUN + "?");
        button(page, "Reprocess 4 dead samples").click();
        assertThat(page.locator(".notice")).containsText("4 samples pending again");
        headed(page, "36 of 40 samples ended");
    }

    @Test
    void the_effect_of_a_repair_follows_while_the_operator_types() {
        Page page = as("ann");
        page.navigate(url + "/redrive/repair?name=invoice.*");
        page.locator("textarea[name=expression]").pressSequentially("$ ~> |$|{\"paid\": true}|");
        headed(page, "would change");
        assertThat(page.locator("#effect .d-added", new Page.LocatorOptions().setHasText("paid"))
                        .first())
                .isVisible();
        page.locator("textarea[name=expression]").pressSequentially(" nonsense");
        assertThat(page.locator("#effect [role=alert]")).isVisible();
        complaints.removeIf(complaint -> complaint.contains("422"));
    }

    @Test
    void the_keyboard_moves_selects_and_redrives() {
        Page page = as("ann");
        page.navigate(url + "/redrive/letters?name=invoice.*");
        page.keyboard().press("?");
        assertThat(page.locator("dialog#keys")).isVisible();
        page.keyboard().press("Escape");
        page.keyboard().press("j");
        page.keyboard().press("x");
        page.keyboard().press("j");
        page.keyboard().press("x");
        page.keyboard().press("/");
        assertThat(page.locator("[name=text]")).isFocused();
        page.keyboard().press("x");
        assertThat(page.locator("[name=text]")).hasValue("x");
        page.locator("h1").click();
        page.keyboard().press("r");
        headed(page, "Redrive 2 letters?");
    }

    @Test
    void a_payload_of_a_mebibyte_opens() {
        String json = "{\"values\": [" + "\"abcdefghij\", ".repeat(75_000) + "\"end\"]}";
        Event event = Event.named("order.large")
                .source("test")
                .payload(json.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
        DeadLetter small = newest("invoice.sent");
        store.deadLetters()
                .importLetters(
                        List.of(Incident.letter(event, small.reason(), "Large", "too large", Instant.now())),
                        "test",
                        Instant.now());
        Page page = as("vic");
        page.navigate(url + "/redrive/letters/" + newest("order.large").id());
        assertThat(page.locator("pre.payload")).containsText("\"end\"");
    }

    @Test
    void no_page_is_wider_than_a_narrow_phone() {
        Page page = as("ada", new Browser.NewContextOptions().setViewportSize(360, 780));
        for (String path : pages()) {
            page.navigate(url + path);
            assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                    .as(path)
                    .isLessThanOrEqualTo(360);
        }
        complaints.removeIf(complaint -> complaint.contains("status of 404"));
    }

    @ParameterizedTest
    @EnumSource(
            value = ColorScheme.class,
            names = {"LIGHT", "DARK"})
    void pages_have_no_serious_barrier(ColorScheme scheme) {
        Page page = as("vic", new Browser.NewContextOptions().setColorScheme(scheme));
        for (String path : pages()) {
            page.navigate(url + path);
            List<Rule> violations = new AxeBuilder(page).analyze().getViolations();
            assertThat(violations.stream()
                            .filter(rule -> rule.getImpact().equals("serious")
                                    || rule.getImpact().equals("critical"))
                            .map(rule ->
                                    rule.getId() + " " + rule.getNodes().get(0).getHtml()))
                    .as(path)
                    .isEmpty();
        }
        complaints.removeIf(complaint -> complaint.contains("status of 404"));
    }
}
