package io.redrive.operations.difference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class LetterOdditiesTest {

    private static final String[] USUAL = {"EUR", "USD", "GBP"};

    @Test
    void a_value_that_no_handled_event_has_is_odd_and_an_id_is_not() {
        assertThat(oddities(
                        "{\"id\": \"o-x\", \"currency\": \"XBT\", \"total\": 12}", 1_000, LetterOdditiesTest::usual))
                .containsExactly("the letter has /currency = \"XBT\"; of 1,000 handled events none");
    }

    @Test
    void a_missing_field_another_type_and_a_number_far_out_are_odd() {
        assertThat(oddities("{\"id\": \"o-x\", \"total\": 12}", 1_000, LetterOdditiesTest::usual))
                .containsExactly("the letter has no /currency; of 1,000 handled events none");
        assertThat(oddities("{\"id\": \"o-x\", \"currency\": 978, \"total\": 12}", 1_000, LetterOdditiesTest::usual))
                .containsExactly("the letter has /currency that is a number; of 1,000 handled events none");
        assertThat(oddities(
                        "{\"id\": \"o-x\", \"currency\": \"EUR\", \"total\": -5}", 1_000, LetterOdditiesTest::usual))
                .containsExactly("the letter has /total of at most -5; of 1,000 handled events none");
        assertThat(oddities(
                        "{\"id\": \"o-x\", \"currency\": \"EUR\", \"total\": 4000}", 1_000, LetterOdditiesTest::usual))
                .containsExactly("the letter has /total above 999; of 1,000 handled events none");
    }

    @Test
    void a_usual_letter_has_no_oddity() {
        assertThat(oddities(
                        "{\"id\": \"o-x\", \"currency\": \"EUR\", \"total\": 500}", 1_000, LetterOdditiesTest::usual))
                .isEmpty();
    }

    @Test
    void few_handled_events_tell_nothing() {
        assertThat(oddities("{\"currency\": \"XBT\"}", 20, LetterOdditiesTest::usual))
                .isEmpty();
        assertThat(oddities("{\"currency\": \"XBT\"}", 0, LetterOdditiesTest::usual))
                .isEmpty();
    }

    @Test
    void of_usual_letters_at_most_one_in_twenty_shows_an_oddity() {
        long seed = Long.getLong("redrive.seed", 20261117L);
        Random random = new Random(seed);
        int rounds = 100;
        int odd = 0;
        for (int round = 0; round < rounds; round++) {
            RandomPayloads payloads = new RandomPayloads(random);
            odd += oddities(payloads.next(), 400, i -> payloads.next()).isEmpty() ? 0 : 1;
        }
        // Four kinds of statements on a field are not independent, so the bound is tested with the margin of five
        // deviations.
        double expected = rounds * LetterOddities.FALSE_LEADS;
        assertThat((double) odd).as("seed %d", seed).isLessThanOrEqualTo(expected + 5 * Math.sqrt(expected));
    }

    private static String usual(int i) {
        return "{\"id\": \"o-" + i + "\", \"currency\": \"" + USUAL[i % 3] + "\", \"total\": " + i * 7919 % 1000 + "}";
    }

    private static List<String> oddities(String letter, int handled, IntFunction<String> payloads) {
        Documents documents = new Documents().letters(1, i -> letter).handled(handled, payloads);
        return LetterOddities.of(documents.letters.get(0), documents.handled).stream()
                .map(Difference::sentence)
                .toList();
    }
}
