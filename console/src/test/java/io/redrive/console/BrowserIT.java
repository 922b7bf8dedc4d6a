package io.redrive.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.redrive.console.BrowsedShop.button;
import static io.redrive.console.BrowsedShop.headed;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.KeyboardModifier;
import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.pipeline.EventPolicies;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator's stories in a real browser. */
class BrowserIT {

    private static final int POLL = 6_000;

    @RegisterExtension
    static final BrowsedShop SHOP = new BrowsedShop();

    @Test
    void an_operator_goes_from_the_alert_to_the_cause_repairs_and_redrives() {
        Page page = SHOP.as("ann");
        page.navigate(SHOP.url(""));
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

        SHOP.store()
                .publish(
                        List.of(Event.named("order.paid")
                                .source("checkout")
                                .json("{\"order\": 1}")
                                .build()),
                        Instant.now());
        page.navigate(SHOP.url(""));
        assertThat(page.locator(".verdict")).containsText("1 cause came back after its fix");
        page.navigate(SHOP.url("/record"));
        for (String action : List.of("redrive", "repair", "resolve")) {
            assertThat(page.locator("tbody")).containsText(action);
        }
    }

    @Test
    void a_viewer_sees_what_others_may_do_and_cannot_do_it() {
        Page page = SHOP.as("vic");
        page.navigate(SHOP.url("/letters/" + SHOP.newest("invoice.sent").id()));
        for (String name : List.of("Redrive…", "Edit payload…", "Delete…")) {
            assertThat(button(page, name)).isDisabled();
            assertThat(button(page, name)).hasAttribute("title", Pattern.compile("needs the role"));
        }
    }

    @Test
    void texts_of_strangers_run_nothing() {
        String text = "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
        SHOP.store().deadLetters().importLetters(List.of(Incident.hostile(text, Instant.now())), text, Instant.now());
        DeadLetter letter = SHOP.newest("order.hostile");
        Page page = SHOP.as("ann");
        for (String path : List.of(
                "/letters/" + letter.id(),
                "/letters?text=" + Query.encoded(text),
                "/cause?cause=" + Query.encoded(letter.fingerprint()),
                "/letters/" + letter.id() + "/edit",
                "/repair?id=" + letter.id() + "&expression=" + Query.encoded(text),
                "/record",
                "/causes?show=all")) {
            page.navigate(SHOP.url(path));
            assertThat(page.evaluate("window.hacked === undefined")).as(path).isEqualTo(true);
            assertThat(page.locator("img")).hasCount(0);
        }
        SHOP.expect("status of 422");
    }

    /** Returns a page that cannot open the stream of live updates, as behind a proxy that does not let streams pass. */
    private Page withoutStream(String user) {
        Page page = SHOP.as(user);
        SHOP.expect("ERR_FAILED");
        page.route("**/ops/queue/stream", route -> route.abort());
        return page;
    }

    @Test
    void the_stream_of_the_server_brings_a_change_to_the_page() {
        Page page = SHOP.as("vic");
        // Without its timers, the page cannot ask by itself.
        page.addInitScript("window.setTimeout = window.setInterval = () => 0");
        page.navigate(SHOP.url(""));
        Locator dead = page.locator("a.big");
        String before = dead.textContent();
        SHOP.store()
                .deadLetters()
                .importLetters(List.of(Incident.hostile("told", Instant.now())), "test", Instant.now());
        assertThat(dead).not().hasText(before);
        SHOP.expect("htmx:");
    }

    @Test
    void numbers_refresh_by_themselves_without_a_stream_and_a_lost_connection_is_marked() {
        Page page = withoutStream("vic");
        page.clock().install();
        page.navigate(SHOP.url(""));
        Locator dead = page.locator("a.big");
        String before = dead.textContent();
        SHOP.store()
                .deadLetters()
                .importLetters(List.of(Incident.hostile("live", Instant.now())), "test", Instant.now());
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
        SHOP.expect("htmx:");
        SHOP.expect("ERR_INTERNET_DISCONNECTED");
    }

    @Test
    void nothing_moves_under_the_mouse() {
        Page page = withoutStream("vic");
        page.clock().install();
        page.navigate(SHOP.url(""));
        page.locator("#live tbody tr").first().hover();
        page.evaluate("document.getElementById('live').dataset.kept = 'yes'");
        page.waitForResponse(
                response -> response.url().endsWith("/ops/queue"),
                () -> page.clock().runFor(POLL));
        assertThat(page.locator("#live")).hasAttribute("data-kept", "yes");
        page.mouse().move(2, 300);
        page.waitForResponse(
                response -> response.url().endsWith("/ops/queue"),
                () -> page.clock().runFor(POLL));
        assertThat(page.locator("#live[data-kept]")).hasCount(0);
    }

    @Test
    void somebody_who_was_signed_out_is_told_so() {
        Page page = withoutStream("vic");
        page.clock().install();
        page.navigate(SHOP.url(""));
        page.context().clearCookies();
        page.clock().runFor(POLL);
        assertThat(page.locator("#lost")).containsText("signed out");
        assertThat(page.locator("h1")).containsText("cause");
        SHOP.expect("401");
    }

    @Test
    void everything_works_without_javascript() {
        Page page = SHOP.as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(SHOP.url("/letters"));
        page.fill("[name=name]", "mail.*");
        button(page, "Filter").click();
        assertThat(page).hasURL(Pattern.compile("name=mail"));
        page.locator("a.row").first().click();
        button(page, "Edit payload…").click();
        page.fill("textarea[name=payload]", "To: nobody@example.org");
        button(page, "Show the difference").first().click();
        button(page, "Save").click();
        assertThat(page.locator(".notice")).containsText("was changed");
        page.navigate(SHOP.url("/letters?name=mail.*"));
        page.locator("[name=id]").first().check();
        button(page, "Redrive selected…").click();
        headed(page, "Redrive 1 letter?");
    }

    @Test
    void an_operator_finds_an_event_and_who_blocks_its_key() {
        Page page = SHOP.as("vic");
        page.navigate(SHOP.url("/events"));
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
        SHOP.store().deadLetters().importLetters(List.of(cart), "test", Instant.now());
        page.navigate(SHOP.url("/letters/" + SHOP.newest("cart.left").id()));
        page.locator("[data-find]").fill("sku");
        assertThat(page.locator(".find [aria-live]")).hasText("2 found");
        assertThat(page.locator("#payload .hit").first()).isVisible();
        page.getByText("cart-9").first().click();
        headed(page, "1 event has the correlation id 'cart-9'");
    }

    @Test
    void an_operator_reprocesses_dead_samples_without_javascript_and_sees_how_to_resume() {
        Page page = SHOP.as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(SHOP.url("/runs"));
        page.locator("a.row", new Page.LocatorOptions().setHasText(Work.STOPPED))
                .click();
        assertThat(page.locator("pre").first()).containsText("redrive runs resume " + Work.STOPPED);
        assertThat(button(page, "Delete…")).isDisabled();
        page.navigate(SHOP.url("/runs/" + Work.RUN + "/dead"));
        button(page, "Reprocess all…").click();
        headed(page, "Reprocess 4 dead samples of " + Work.RUN + "?");
        button(page, "Reprocess 4 dead samples").click();
        assertThat(page.locator(".notice")).containsText("4 samples pending again");
        headed(page, "36 of 40 samples ended");
    }

    @Test
    void the_effect_of_a_repair_follows_while_the_operator_types() {
        Page page = SHOP.as("ann");
        page.navigate(SHOP.url("/repair?name=invoice.*"));
        page.locator("textarea[name=expression]").pressSequentially("$ ~> |$|{\"paid\": true}|");
        headed(page, "would change");
        assertThat(page.locator("#effect .d-added", new Page.LocatorOptions().setHasText("paid"))
                        .first())
                .isVisible();
        page.locator("textarea[name=expression]").pressSequentially(" nonsense");
        assertThat(page.locator("#effect [role=alert]")).isVisible();
        SHOP.expect("422");
    }

    @Test
    void the_keyboard_moves_selects_and_redrives() {
        Page page = SHOP.as("ann");
        page.navigate(SHOP.url("/letters?name=invoice.*"));
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
    void boxes_select_the_page_and_ranges() {
        Page page = SHOP.as("ann");
        page.navigate(SHOP.url("/letters?name=invoice.*"));
        Locator ticked = page.locator("td.tick input:checked");
        Locator boxes = page.locator("td.tick input");
        boxes.nth(4).click();
        boxes.nth(1).click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));
        assertThat(ticked).hasCount(4);
        page.getByLabel("Select all letters of this page").check();
        assertThat(ticked).hasCount(boxes.count());
        page.getByLabel("Select all letters of this page").uncheck();
        assertThat(ticked).hasCount(0);
    }

    @Test
    void a_policy_is_tried_while_typing_and_shared() {
        Page page = SHOP.as("ann");
        page.navigate(SHOP.url("/policies"));
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
        assertThat(EventPolicies.shared(SHOP.store().notes()).get("order.*")).isEqualTo(Map.of("max-attempts", "7"));
        page.locator("a.row", new Page.LocatorOptions().setHasText("order.*")).click();
        button(page, "Remove the shared settings").click();
        assertThat(page.locator(".notice")).containsText("removed");
    }

    @Test
    void a_policy_is_tried_without_javascript() {
        Page page = SHOP.as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(SHOP.url("/policies/draft?pattern=tax.*"));
        page.fill("[name=max-attempts]", "4");
        page.selectOption("[name=backoff]", "fixed");
        button(page, "Show the effect").click();
        assertThat(page).hasURL(Pattern.compile("max-attempts=4"));
        assertThat(page.locator("h1")).containsText("4 attempts");
        page.getByText("Replay the failures of the last day").click();
        assertThat(page.locator("#replayed")).containsText("No failure of the last day could be replayed");
    }

    @Test
    void a_proposal_on_the_overview_is_rejected_by_a_person() {
        Page page = SHOP.as("ann");
        page.navigate(SHOP.url(""));
        page.locator(
                        "a.row",
                        new Page.LocatorOptions()
                                .setHasText("repair #" + SHOP.proposal().number()))
                .click();
        assertThat(page.locator("h1")).containsText("helper asks to repair 1 letter");
        page.fill("[name=reason]", "orders are fine as they are");
        button(page, "Reject").click();
        assertThat(page.locator(".notice").first()).containsText("is rejected: orders are fine");
    }
}
