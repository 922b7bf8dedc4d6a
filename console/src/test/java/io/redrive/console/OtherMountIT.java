package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console at another path of an application that lets everybody in and protects no form. */
class OtherMountIT {

    @RegisterExtension
    static final OpenShop SHOP = new OpenShop();

    private static Caller as(String user) {
        return SHOP.as(user);
    }

    @Test
    void links_and_forms_lie_below_the_mount_path() {
        String page = as("").get("").body();
        assertThat(page).contains("href=\"/shop/ops/queue/letters\"").doesNotContain("\"/redrive");
        assertThat(as("").get("/letters").statusCode()).isEqualTo(200);
        assertThat(SHOP.outside("").get("/shop/redrive").statusCode()).isEqualTo(404);
    }

    @Test
    void an_application_with_its_own_login_says_that_it_has_no_tokens() {
        assertThat(as("ada").get("/access").body())
                .contains("This application has a login of its own")
                .doesNotContain("Make a token");
        Map<String, String> fields = Map.of("name", "x", "role", "admin", "lifetime", "none");
        assertThat(as("ada").submit("/access", "/access/create", fields).statusCode())
                .isEqualTo(403);
    }

    @Test
    void a_request_without_a_principal_is_a_viewer() {
        assertThat(as("").get("").body()).contains("your role: viewer").contains("anonymous");
        Map<String, String> pause = Map.of("names", "a.*", "reason", "test");
        HttpResponse<String> refused = as("").submit("/pauses", "/pauses", pause);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("pause needs the role operator");
    }

    @Test
    void a_command_needs_the_token_in_the_form_and_in_the_cookie() {
        Caller ann = as("ann");
        ann.get("/pauses");
        HttpResponse<String> bare = ann.post("/pauses", "names=b.*&reason=test");
        assertThat(bare.statusCode()).isEqualTo(403);
        assertThat(bare.body()).contains("did not come from a page of this console");
        HttpResponse<String> guessed = ann.post("/pauses", "names=b.*&reason=test&_form=" + "0".repeat(32));
        assertThat(guessed.statusCode()).isEqualTo(403);
        Map<String, String> pause = Map.of("names", "b.*", "reason", "test");
        assertThat(ann.submit("/pauses", "/pauses", pause).statusCode()).isEqualTo(303);
    }

    @Test
    void a_command_from_another_site_is_refused_even_with_the_token() {
        Caller ann = as("ann");
        String token = ann.get("/pauses").body().replaceAll("(?s).*name=\"_form\" value=\"([^\"]+)\".*", "$1");
        HttpResponse<String> foreign = ann.send(ann.request("/pauses")
                .header("Sec-Fetch-Site", "cross-site")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("names=c.*&reason=test&_form=" + token)));
        assertThat(foreign.statusCode()).isEqualTo(403);
    }
}
