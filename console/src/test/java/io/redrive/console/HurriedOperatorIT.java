package io.redrive.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.redrive.console.BrowsedShop.button;
import static io.redrive.console.BrowsedShop.headed;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import io.redrive.core.Reason;
import io.redrive.events.ActionFilter;
import io.redrive.events.Event;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console in the hands of an operator in a hurry: double clicks, a session that has ended, a payload that nobody can read. */
class HurriedOperatorIT {

    @RegisterExtension
    static final BrowsedShop SHOP = new BrowsedShop();

    private static Operations ada() {
        return Operations.of(SHOP.store(), new Operator("ada", Role.ADMIN, "test"));
    }

    private static int notes() {
        return ada().actions(ActionFilter.ALL.withAction("note"), 1_000).size();
    }

    private static String cause() {
        return SHOP.url("/cause?cause=" + SHOP.newest("invoice.sent").fingerprint());
    }

    @Test
    void a_double_click_gives_one_command() {
        int before = notes();
        Page page = SHOP.as("ann");
        List<Request> posts = new ArrayList<>();
        page.onRequest(request -> {
            if (request.method().equals("POST")) {
                posts.add(request);
            }
        });
        page.navigate(cause());
        page.fill("[name=note]", "clicked twice");
        button(page, "Save note").dblclick();
        assertThat(page.locator(".notice")).isVisible();
        assertThat(posts).hasSize(1);
        assertThat(notes()).isEqualTo(before + 1);
    }

    @Test
    void a_form_of_an_operator_who_was_signed_out_is_kept_and_says_what_to_do() {
        int before = notes();
        Page page = SHOP.as("ann");
        page.navigate(cause());
        page.fill("[name=note]", "a long note that nobody wants to type again");
        page.context().clearCookies();
        button(page, "Save note").click();
        assertThat(page.locator("#lost")).containsText("You are signed out, and nothing was sent");
        assertThat(page.locator("[name=note]")).hasValue("a long note that nobody wants to type again");
        assertThat(notes()).isEqualTo(before);
        SHOP.expect("401");
    }

    @Test
    void without_javascript_a_form_after_the_session_leads_to_the_login_of_the_application() {
        int before = notes();
        Page page = SHOP.as("ann", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(cause());
        page.fill("[name=note]", "too late");
        page.context().clearCookies();
        button(page, "Save note").click();
        assertThat(page.locator("body")).containsText("Please sign in");
        assertThat(notes()).isEqualTo(before);
    }

    @Test
    void a_form_without_a_connection_is_kept() {
        Page page = SHOP.as("ann");
        page.navigate(cause());
        page.fill("[name=note]", "in a tunnel");
        page.context().setOffline(true);
        button(page, "Save note").click();
        assertThat(page.locator("#lost")).containsText("nothing was sent");
        assertThat(page.locator("[name=note]")).hasValue("in a tunnel");
        SHOP.expect("ERR_INTERNET_DISCONNECTED");
    }

    @Test
    void a_payload_of_a_mebibyte_opens_as_a_tree_and_is_searched() {
        String json = "{\"values\": [" + "\"abcdefghij\", ".repeat(75_000) + "\"needle\"], \"last\": {\"key\": 1}}";
        Event event = Event.named("order.large")
                .source("test")
                .payload(json.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
        SHOP.store()
                .deadLetters()
                .importLetters(
                        List.of(Incident.letter(event, Reason.TIMEOUT, "Large", "too large", Instant.now())),
                        "test",
                        Instant.now());
        Page page = SHOP.as("vic");
        page.navigate(SHOP.url("/letters/" + SHOP.newest("order.large").id()));
        Locator tree = page.locator("#payload");
        assertThat(tree).containsText("75,001 elements");
        assertThat(tree).containsText("74,901 more elements");
        Locator last = tree.locator("details", new Locator.LocatorOptions().setHasText("last"))
                .last();
        assertThat(last.locator(".json-number")).isVisible();
        last.locator("summary").click();
        assertThat(last.locator(".json-number")).isHidden();
        findNeedle(page);

        Page plain = SHOP.as("vic", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        plain.navigate(SHOP.url("/letters/" + SHOP.newest("order.large").id()));
        findNeedle(plain);
    }

    private static void findNeedle(Page page) {
        page.fill("[name=find]", "NEEDLE");
        button(page, "Find").click();
        assertThat(page.locator("#found")).containsText("1 value with 'NEEDLE'");
        assertThat(page.locator("#found")).containsText("/values/75000 needle");
    }

    @Test
    void a_token_is_revoked_after_a_question_without_javascript() {
        String prefix = ada().tokens()
                .create("checkout", Role.PUBLISHER, List.of(), Optional.empty())
                .token()
                .prefix();
        Page page = SHOP.as("ada", new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page.navigate(SHOP.url("/access"));
        button(page, "Revoke the token " + prefix).click();
        headed(page, "Revoke the token " + prefix + " of checkout for good?");
        page.getByText("Back", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(ada().tokens().list()).anyMatch(token -> token.prefix().equals(prefix));
        button(page, "Revoke the token " + prefix).click();
        button(page, "Revoke for good").click();
        assertThat(page.locator(".notice")).containsText("is revoked");
        assertThat(ada().tokens().list()).noneMatch(token -> token.prefix().equals(prefix));
    }
}
