package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.JsonPayload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonBeginningTest {

    private static final String WHOLE =
            "{\"a\":1,\"b\":[true,null,\"tä\\\"xt\"],\"c\":{\"d\":-1.50e3,\"e\":[]},\"f\":12345}";

    @Test
    void every_beginning_becomes_json_and_the_whole_stays_as_it_is() {
        byte[] whole = WHOLE.getBytes(StandardCharsets.UTF_8);
        for (int end = 1; end <= whole.length; end++) {
            byte[] closed = JsonBeginning.closed(Arrays.copyOf(whole, end)).orElseThrow();
            assertThat(JsonPayload.complaint(closed)).as("first %d bytes", end).isEmpty();
        }
        assertThat(text(WHOLE)).contains(WHOLE);
    }

    @Test
    void a_value_at_the_cut_is_left_out_because_it_may_go_on() {
        assertThat(text("{\"a\":1,\"n\":123")).contains("{\"a\":1}");
        assertThat(text("{\"a\":1,\"n\":\"12")).contains("{\"a\":1}");
        assertThat(text("{\"a\":1,\"n\":123,\"x\":4")).contains("{\"a\":1,\"n\":123}");
        assertThat(text("{\"a\":[1,{\"b\":")).contains("{\"a\":[1,{}]}");
    }

    @Test
    void other_payloads_have_no_json() {
        assertThat(text("")).isEmpty();
        assertThat(text("text")).isEmpty();
        assertThat(text("\"text\"")).isEmpty();
        assertThat(text("12")).isEmpty();
        assertThat(text("\u0000\u0001")).isEmpty();
    }

    @Test
    void a_deep_beginning_needs_no_stack() {
        assertThat(text("[".repeat(4_000))).contains("[".repeat(4_000) + "]".repeat(4_000));
    }

    private static Optional<String> text(String beginning) {
        return JsonBeginning.closed(beginning.getBytes(StandardCharsets.UTF_8))
                .map(closed -> new String(closed, StandardCharsets.UTF_8));
    }
}
