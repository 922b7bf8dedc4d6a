package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StringMapJsonTest {

    @Test
    void what_is_written_is_read_again_whatever_the_texts_hold() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            Map<String, String> map = new LinkedHashMap<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                map.put(text(random), text(random));
            }
            assertThat(StringMapJson.read(StringMapJson.write(map)))
                    .containsExactlyEntriesOf(map.isEmpty() ? Map.of() : map);
        }
    }

    /** Quotes, backslashes, control characters, letters, and characters of two UTF-16 units. */
    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i >= 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append("\"\\/{},:".charAt(random.nextInt(7)));
                case 1 -> text.append((char) random.nextInt(0xA0));
                case 2 -> text.appendCodePoint(0x1F600 + random.nextInt(50));
                default -> text.append((char) ('a' + random.nextInt(26)));
            }
        }
        return text.toString();
    }

    @Test
    void an_empty_map_is_no_text() {
        assertThat(StringMapJson.write(Map.of())).isNull();
        assertThat(StringMapJson.read(null)).isEmpty();
    }

    @Test
    void other_texts_are_refused_and_not_repeated() {
        for (String wrong : new String[] {"", "[]", "{\"a\":1}", "{\"a\":\"b\"", "{\"a\":\"b\"} {}"}) {
            assertThatThrownBy(() -> StringMapJson.read(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("headers must be a JSON object of texts, got " + wrong.length()
                            + " characters that are none");
        }
    }
}
