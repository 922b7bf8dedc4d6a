package io.redrive.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds for every page of the console: no barrier in either theme, no shift of its layout, room for a narrow phone. */
class EveryPageIT {

    private static final int PHONE = 360;

    /** Sums up the movements of elements since the page began, as browsers judge layouts. */
    private static final String SHIFT = """
            () => new Promise(told => {
              let sum = 0;
              new PerformanceObserver(list => list.getEntries().forEach(shift => { sum += shift.value; }))
                .observe({ type: 'layout-shift', buffered: true });
              requestAnimationFrame(() => setTimeout(() => told(sum), 0));
            })""";

    @RegisterExtension
    static final BrowsedShop SHOP = new BrowsedShop();

    private static List<String> pages() {
        String letter = "/letters/" + SHOP.newest("invoice.sent").id();
        String cause = "cause=" + SHOP.newest("invoice.sent").fingerprint();
        return List.of(
                "",
                "/causes?show=all",
                "/causes?show=ignored",
                "/cause?" + cause,
                "/cause/differs?" + cause,
                "/letters",
                "/letters?name=nothing.*",
                letter,
                letter + "/edit",
                "/letters/999999",
                "/redrive?name=invoice.*",
                "/purge?name=invoice.*",
                "/repair?name=invoice.*&expression=" + Query.encoded("$ ~> |$|{\"currency\": \"EUR\"}|"),
                "/operations",
                "/operations/" + SHOP.operation(),
                "/pauses",
                "/policies",
                "/policies?name=order.paid",
                "/policies/draft?pattern=order.*&sent=1&max-attempts=6&max-duration=20s",
                "/policies/replay?pattern=order.*&sent=1&max-attempts=6",
                "/proposals?show=all",
                "/proposals/" + SHOP.proposal().number(),
                "/webhooks",
                "/webhooks/billing",
                "/kafka?partitions=1",
                "/access",
                "/access/revoke?prefix=" + SHOP.token(),
                "/record",
                "/events",
                "/events?q=" + Work.KEY,
                "/events?q=" + Work.CHAIN,
                "/event?id=moved-1",
                "/runs",
                "/runs/" + Work.RUN,
                "/runs/" + Work.RUN + "/report",
                "/runs/" + Work.RUN + "/dead",
                "/runs/" + Work.RUN + "/ask/delete",
                "/runs/" + Work.RUN + "/ask/reprocess",
                "/runs/" + Work.RUN + "/samples/3");
    }

    @Test
    void pages_of_an_administrator_have_no_barrier_do_not_shift_and_fit_on_a_phone() {
        SHOP.expect("status of 404");
        Page page = SHOP.as("ada");
        for (String path : pages()) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
            page.setViewportSize(1280, 800);
            page.navigate(SHOP.url(path));
            assertThat(page.locator("[hx-trigger=load]")).hasCount(0);
            assertThat(((Number) page.evaluate(SHIFT)).doubleValue())
                    .as("layout shift of " + path)
                    .isLessThan(0.01);
            assertThat(barriers(new AxeBuilder(page))).as("light " + path).isEmpty();
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            // The themes differ in colours alone.
            assertThat(barriers(new AxeBuilder(page).withRules(List.of("color-contrast"))))
                    .as("dark " + path)
                    .isEmpty();
            page.setViewportSize(PHONE, 780);
            assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                    .as("width of " + path)
                    .isLessThanOrEqualTo(PHONE);
        }
    }

    private static List<String> barriers(AxeBuilder axe) {
        // Without the legacy mode each analysis opens a second page, for frames of other origins, which the console has
        // not.
        return axe.setLegacyMode(true).analyze().getViolations().stream()
                .filter(rule ->
                        rule.getImpact().equals("serious") || rule.getImpact().equals("critical"))
                .map(rule -> rule.getId() + " " + rule.getNodes().get(0).getHtml())
                .toList();
    }

    @Test
    void a_viewer_can_press_no_button_that_changes_something_on_any_page() {
        SHOP.expect("status of 404");
        SHOP.expect("status of 403");
        Page page = SHOP.as("vic", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        for (String path : pages()) {
            page.navigate(SHOP.url(path));
            assertThat(page.locator("form[method=post] button:not(:disabled)").all())
                    .as(path)
                    .isEmpty();
            for (Locator disabled :
                    page.locator("form[method=post] button:disabled").all()) {
                assertThat(disabled.getAttribute("title")).as(path).isNotBlank();
            }
        }
    }
}
