package io.redrive.items.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prices: parsing, printing and the price of a number of units. */
final class PriceTest {

    @ParameterizedTest
    @CsvSource({
        "0.15/1M, 0.15/1M",
        "0.150 USD / 1_000_000, 0.15 USD/1M",
        "2EUR/1k, 2 EUR/1k",
        "100/1000000M, 100/1000000M",
        "0/7, 0/7",
        "0.000000001 USD/999, 0.000000001 USD/999"
    })
    void a_price_is_read_and_written_in_one_form(String text, String form) {
        Price price = Price.parse(text);

        assertThat(price).hasToString(form).isEqualTo(Price.parse(form));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0.15", "0.15/M", "-1/1M", "$1/1M", "1 usd/1M", "1,5/1M", "1/1m", "1e3/1M", "1/1_000B"})
    void a_text_of_another_form_is_refused_with_examples(String text) {
        assertThatThrownBy(() -> Price.parse(text)).hasMessageContaining("such as 0.15/1M, 0.15 USD/1M or 2 EUR/1k");
    }

    @Test
    void parts_out_of_range_are_refused() {
        assertThatThrownBy(() -> Price.parse("1/0")).hasMessageContaining("for 1 to 1000000000000 units, got 0");
        assertThatThrownBy(() -> new Price(new BigDecimal("-1"), "", 1)).hasMessageContaining("got -1");
        assertThatThrownBy(() -> new Price(new BigDecimal("1e9"), "", 1)).hasMessageContaining("between 0 and");
        assertThatThrownBy(() -> new Price(new BigDecimal("1e-10"), "", 1)).hasMessageContaining("9 digits");
        assertThatThrownBy(() -> new Price(BigDecimal.ONE, "Dollar", 1)).hasMessageContaining("got 'Dollar'");
    }

    @Test
    void the_price_of_units_is_proportional_to_their_number() {
        assertThat(Price.parse("0.15/1M").of(2_000_000)).isEqualByComparingTo("0.3");
        assertThat(Price.parse("1/3").of(1)).isBetween(new BigDecimal("0.333333"), new BigDecimal("0.333334"));
    }
}
