package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadField;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Selecting dead letters by a field of their payloads: every payload has an answer, and every command honours it. */
interface LetterPayloadContract extends StoreUnderTest {

    @Test
    default void a_field_of_a_payload_is_found_by_its_place_and_value() {
        StoreDriver on = open();
        on.letter(on.event("swiss")
                .json("{\"customer\":{\"country\":\"CH\",\"vip\":true},\"lines\":[{\"sku\":\"A-7\"},{\"sku\":null}]}"));
        on.letter(on.event("german")
                .json("{\"customer\":{\"country\":\"DE\",\"vip\":false},\"country\":\"CH\",\"lines\":[]}"));
        on.letter(
                on.event("odd")
                        .json(
                                "{\"a/b\":{\"c~d\":\"x=y % '\\\"\"},\"\":\"empty\",\"-1\":\"name\",\"M\\u00fcller\":\"S\\u00f6hne\"}"));
        on.letter(on.event("list").json("[\"first\",\"second\"]"));
        assertSelects(on, "/customer/country=CH", "swiss");
        assertSelects(on, "/country=CH", "german");
        assertSelects(on, "/customer/country=ch");
        assertSelects(on, "/customer/country=C");
        assertSelects(on, "/customer=CH");
        assertSelects(on, "/customer/country/code=CH");
        assertSelects(on, "/customer/vip=true", "swiss");
        assertSelects(on, "/lines/0/sku=A-7", "swiss");
        assertSelects(on, "/lines/1/sku=null", "swiss");
        assertSelects(on, "/lines/00/sku=A-7");
        assertSelects(on, "/lines/-1/sku=null");
        assertSelects(on, "/lines/sku=A-7");
        assertSelects(on, "/a~1b/c~0d=x=y % '\"", "odd");
        assertSelects(on, "/=empty", "odd");
        assertSelects(on, "/-1=name", "odd");
        assertSelects(on, "/M\u00fcller=S\u00f6hne", "odd");
        assertSelects(on, "/1=second", "list");
        assertSelects(on, "/2=second");
        assertSelects(on, "/nowhere=");
    }

    @Test
    default void numbers_are_compared_digit_by_digit_and_by_their_value() {
        StoreDriver on = open();
        on.letter(on.event("large").json("{\"n\":12345678901234567890123}"));
        on.letter(on.event("next").json("{\"n\":12345678901234567890124}"));
        on.letter(on.event("one").json("{\"n\":1.00}"));
        on.letter(on.event("text").json("{\"n\":\"1\"}"));
        on.letter(on.event("power").json("{\"n\":1e0}"));
        on.letter(on.event("huge").json("{\"n\":1e999999999}"));
        assertSelects(on, "/n=12345678901234567890123", "large");
        assertSelects(on, "/n=12345678901234567890124.0", "next");
        assertSelects(on, "/n=1", "one", "text");
        assertSelects(on, "/n=1.0", "one");
        assertSelects(on, "/n=1e0", "power");
        assertSelects(on, "/n=1e999999999", "huge");
        assertSelects(on, "/n=01");
    }

    @Test
    default void a_payload_that_is_no_json_in_utf_8_has_no_field() {
        StoreDriver on = open();
        String good = "{\"a\":\"x\"}";
        on.letter(on.event("good").payload(bytes(good), "application/x-odd"));
        on.letter(on.event("none"));
        on.letter(on.event("binary").payload(new byte[] {'{', 0, 1, (byte) 0xff}, "application/json"));
        on.letter(on.event("latin")
                .payload("{\"a\":\"x\",\"b\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1), "application/json"));
        on.letter(on.event("cut").payload(bytes("{\"a\":\"x\",\"b\":"), "application/json"));
        on.letter(on.event("two").payload(bytes(good + good), "application/json"));
        on.letter(on.event("mark").payload(bytes("\uFEFF" + good), "application/json"));
        on.letter(on.event("zero").payload(bytes("{\"a\":\"x\",\"b\":\"\\u0000\"}"), "application/json"));
        on.letter(on.event("half").payload(bytes("{\"a\":\"x\",\"b\":\"\\ud800\"}"), "application/json"));
        on.letter(on.event("deep").payload(bytes("[".repeat(20_000)), "application/json"));
        on.letter(on.event("twice").payload(bytes("{\"a\":\"y\",\"a\":\"x\"}"), "application/json"));
        on.letter(on.event("spaces").payload(bytes(" \n{ \"a\" :\t\"x\" } "), "application/json"));
        assertSelects(on, "/a=x", "good", "twice", "spaces");
        assertSelects(on, "/a=y");
    }

    @Test
    default void a_payload_of_a_mebibyte_is_read() {
        StoreDriver on = open();
        byte[] payload = new byte[PayloadField.MAX_BYTES];
        Arrays.fill(payload, (byte) ' ');
        byte[] json = bytes("{\"a\":\"x\"}");
        System.arraycopy(json, 0, payload, 0, json.length);
        on.letter(on.event("long").payload(payload, "application/json"));
        assertSelects(on, "/a=x", "long");
    }

    @Test
    default void commands_groups_and_pages_honour_the_field() {
        StoreDriver on = open();
        for (int i = 0; i < 6; i++) {
            on.letter(
                    on.event("e" + i).json("{\"currency\":\"" + (i % 2 == 0 ? "XBT" : "CHF") + "\"}"),
                    Reason.TIMEOUT,
                    "E",
                    "slow");
        }
        LetterFilter filter = ALL.withPayload(PayloadField.parse("/currency=XBT"));
        assertThat(on.letters().groups(filter, 10))
                .extracting(LetterGroup::count)
                .containsExactly(3L);
        assertThat(StoreDriver.idsOf(on.letters().newest(filter, Long.MAX_VALUE, 2)))
                .containsExactly("e4", "e2");
        assertThat(StoreDriver.idsOf(on.letters().listWithHistory(filter, 0, 2)))
                .containsExactly("e0", "e2");
        assertThat(on.letters()
                        .purge(
                                filter,
                                1,
                                new OperatorCommand("purge-1", "ann", "", ""),
                                on.time().now()))
                .isEqualTo(1);
        assertThat(on.redrive(filter)).isEqualTo(2);
        assertThat(StoreDriver.idsOf(on.all())).containsExactly("e1", "e3", "e5");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertSelects(StoreDriver on, String field, String... ids) {
        LetterFilter filter = ALL.withPayload(PayloadField.parse(field));
        List<DeadLetter> listed = on.letters().list(filter, 0, 100);
        assertThat(StoreDriver.idsOf(listed)).as(field).containsExactly(ids);
        assertThat(on.letters().count(filter)).as(field).isEqualTo(ids.length);
        // A store may select in SQL; the filter itself defines the result in Java.
        assertThat(on.all().stream()
                        .filter(filter::matches)
                        .map(letter -> letter.event().id()))
                .as(field)
                .containsExactly(ids);
    }
}
