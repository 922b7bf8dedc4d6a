package io.redrive.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.redrive.console.BrowsedShop.button;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two operators at the same letter, in a real browser. */
class TwoOperatorsIT {

    @RegisterExtension
    static final BrowsedShop SHOP = new BrowsedShop();

    @Test
    void of_two_operators_who_edit_a_letter_the_second_is_told() {
        String path = SHOP.url("/letters/" + SHOP.newest("invoice.sent").id() + "/edit");
        Page ann = SHOP.as("ann");
        Page ada = SHOP.as("ada");
        for (Page page : List.of(ann, ada)) {
            page.navigate(path);
            page.fill("textarea[name=payload]", "{\"by\": \"" + (page == ann ? "ann" : "ada") + "\"}");
            button(page, "Show the difference").first().click();
        }
        button(ada, "Save").click();
        assertThat(ada.locator(".notice")).containsText("was changed");
        button(ann, "Save").click();
        assertThat(ann.locator(".complaint")).containsText("somebody changed the payload");
        assertThat(SHOP.store()
                        .deadLetters()
                        .find(SHOP.newest("invoice.sent").id())
                        .orElseThrow()
                        .event()
                        .text())
                .contains("ada");
        SHOP.expect("status of 422");
    }

    @Test
    void of_two_operators_who_redrive_a_letter_the_second_redrives_nothing() {
        long id = SHOP.newest("ml.*").id();
        long before = redriven();
        Page ann = SHOP.as("ann");
        Page ada = SHOP.as("ada");
        for (Page page : List.of(ann, ada)) {
            page.navigate(SHOP.url("/redrive?id=" + id));
        }
        button(ada, "Redrive 1 letter").click();
        assertThat(ada.locator("h1")).containsText("1 of 1 letter sent");
        button(ann, "Redrive 1 letter").click();
        assertThat(ann.locator("h1")).not().containsText("1 of 1 letter sent");
        assertThat(SHOP.store().deadLetters().find(id)).isEmpty();
        assertThat(redriven()).isEqualTo(before + 1);
        SHOP.expect("status of 409");
    }

    private static long redriven() {
        return SHOP.store().redrives().list(100).stream()
                .mapToLong(operation -> operation.counts().redriven())
                .sum();
    }
}
