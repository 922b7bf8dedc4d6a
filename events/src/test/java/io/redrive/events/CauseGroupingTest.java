package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.SettingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CauseGroupingTest {

    private static final String PLAIN = Fingerprint.of("IOException", "connection reset");

    @Test
    void without_a_matching_rule_the_fingerprint_is_the_plain_one() {
        assertThat(of(event("a", "{}"))).isEqualTo(PLAIN);
        assertThat(of(event("a", "{}"), "type:SQLException by name", "name:mail.* by name"))
                .isEqualTo(PLAIN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* by name                     | .order-paid-",
                "type:IOException by source    | .shop",
                "name:order.* by header:TENANT | .acme",
                "* by /tenant/id               | .7",
                "* by /list/1                  | .b",
                "* by /odd                     | .a-b-"
            })
    void a_split_adds_the_value_of_its_key(String rule, String suffix) {
        Event event = event("acme", "{\"x\":[{}],\"tenant\":{\"id\":7},\"list\":[\"a\",\"b\"],\"odd\":\"a b\"}");
        assertThat(of(event, rule)).startsWith(PLAIN + suffix);
    }

    @ParameterizedTest
    @CsvSource({"* by /missing", "* by /tenant/id/deep", "* by /object", "* by /null", "* by header:missing"})
    void a_letter_without_a_value_stays_in_the_unsplit_cause(String rule) {
        assertThat(of(event("acme", "{\"tenant\":{\"id\":7},\"object\":{},\"null\":null}"), rule))
                .isEqualTo(PLAIN);
        assertThat(of(event("acme", "not json"), rule)).isEqualTo(PLAIN);
        assertThat(of(event("acme", "{\"missing\":".repeat(5_000)), rule)).isEqualTo(PLAIN);
    }

    @Test
    void values_that_look_alike_after_a_cut_have_their_own_causes() {
        String one = of(event("x".repeat(60) + "1", "{}"), "* by header:tenant");
        String two = of(event("x".repeat(60) + "2", "{}"), "* by header:tenant");
        assertThat(one).isNotEqualTo(two).hasSizeLessThan(80);
        assertThat(of(event("a/b", "{}"), "* by header:tenant"))
                .isNotEqualTo(of(event("a-b", "{}"), "* by header:tenant"))
                .doesNotContain("/");
    }

    @Test
    void causes_are_forced_together_and_the_first_matching_rule_decides() {
        CauseGrouping rules = CauseGrouping.of(
                List.of("type:IOException as bank-down", "type:SocketException as bank-down", "* by name"));
        assertThat(rules.fingerprint("IOException", "a", event("t", "{}"))).isEqualTo("bank-down");
        assertThat(rules.fingerprint("SocketException", "b", event("t", "{}"))).isEqualTo("bank-down");
        assertThat(rules.fingerprint("Other", "c", event("t", "{}")))
                .startsWith(Fingerprint.of("Other", "c") + ".order-paid-");
        assertThat(of(event("t", "{}"), "cause:" + PLAIN + " as known")).isEqualTo("known");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name                    | must be WHICH by KEY or WHICH as LABEL",
                "'* by'                  | must be WHICH by KEY or WHICH as LABEL",
                "'* by name too'         | must be WHICH by KEY or WHICH as LABEL",
                "'tenant:a by name'      | must begin with *",
                "'type: by name'         | must begin with *",
                "'name:Bad..* by name'   | name",
                "'* by tenant'           | must have a KEY",
                "'* by header:'          | must have a KEY",
                "'* by /'                | must have a KEY",
                "'* as a.b'              | must have a LABEL"
            })
    void wrong_rules_are_refused_by_key_rule_and_value(String rule, String message) {
        assertThatThrownBy(() -> CauseGrouping.of(List.of("* by name", rule)))
                .isInstanceOfSatisfying(SettingException.class, refusal -> {
                    assertThat(refusal.key()).isEqualTo("rules[1]");
                    assertThat(refusal.value()).isEqualTo(rule);
                })
                .hasMessageContaining(message);
    }

    @Test
    void plain_fingerprints_of_version_1_never_change() {
        assertThat(Fingerprint.of("IOException", "connection reset")).isEqualTo(GOLDEN);
        assertThat(Fingerprint.versionOf(GOLDEN)).isEqualTo(1);
        assertThat(Fingerprint.versionOf(GOLDEN + ".acme")).isEqualTo(1);
        assertThat(Fingerprint.versionOf("bank-down")).isEqualTo(1);
        assertThat(Fingerprint.versionOf("v2-" + GOLDEN)).isEqualTo(2);
        assertThat(Fingerprint.versionOf("v17-x")).isEqualTo(17);
    }

    private static final String GOLDEN = "8bed3fb14a14";

    private static String of(Event event, String... rules) {
        return CauseGrouping.of(List.of(rules)).fingerprint("IOException", "connection reset", event);
    }

    private static Event event(String tenant, String json) {
        return Event.named("order.paid")
                .source("shop")
                .header("Tenant", tenant)
                .payload(json.getBytes(java.nio.charset.StandardCharsets.UTF_8), "application/json")
                .build();
    }
}
