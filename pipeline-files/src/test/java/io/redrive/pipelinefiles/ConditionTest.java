package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConditionTest {

    private static final JsonValue SAMPLE = JsonValue.parse(
            "{\"lang\":\"en\",\"score\":0.50,\"text\":\"héllo\",\"tags\":[\"news\",7],\"meta\":{\"a\":null},\"b\":false}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lang == \"en\"",
                "/lang == en",
                "/lang != \"de\"",
                "/other != \"de\"",
                "/score == 0.5",
                "/score >= 0.5",
                "/score <= 0.5",
                "/score > 0.4",
                "/score > 5e-1000000",
                "/lang in [\"de\", \"en\"]",
                "/lang matches \"^e.$\"",
                "/lang < \"fr\"",
                "/text length == 5",
                "/tags length > 1",
                "/tags contains 7.0",
                "/tags == [\"news\",7.0]",
                "/text contains \"llo\"",
                "/meta contains a",
                "/meta == {\"a\":null}",
                "/meta/a exists",
                "/b == false",
                "/other missing"
            })
    void conditions_that_hold(String text) {
        assertThat(Condition.parse(text).refusal(SAMPLE)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/lang == \"de\" | /lang is \"en\"; wanted: /lang == \"de\"",
                "/score > 0.5 | /score is 0.50; wanted: /score > 0.5",
                "/text length >= 6 | /text has length 5; wanted: /text length >= 6",
                "/other == 1 | nothing at /other; wanted: /other == 1",
                "/other exists | nothing at /other; wanted: /other exists",
                "/lang missing | /lang is \"en\"; wanted: /lang missing",
                "/b == true | /b is false; wanted: /b == true",
                "/tags contains \"7\" | /tags is [\"news\",7]; wanted: /tags contains \"7\"",
                "/lang in [] | /lang is \"en\"; wanted: /lang in []"
            })
    void conditions_that_do_not_hold_say_why(String text, String why) {
        assertThat(Condition.parse(text).refusal(SAMPLE)).contains(why);
    }

    @Test
    void a_value_of_the_wrong_type_makes_a_bad_sample_instead_of_a_skip() {
        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> Condition.parse("/lang > 3").refusal(SAMPLE))
                .withMessage("/lang must be a number for the filter /lang > 3, got \"en\"");
        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> Condition.parse("/score matches x").refusal(SAMPLE));
        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> Condition.parse("/b length > 1").refusal(SAMPLE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "lang == 1 | must be a JSON pointer, an operator and a value",
                "/lang | must be a JSON pointer, an operator and a value",
                "/lang = 1 | must be a JSON pointer, an operator and a value",
                "/lang is 1 | must have one of == != < <= > >= in contains matches exists missing",
                "/lang == | must have a value after ==",
                "/lang exists 1 | must end with exists",
                "/lang == two words | must end with a JSON value (a string in quotes)",
                "/lang in \"en\" | must have a list after in",
                "/lang matches \"(\" | must have a regular expression after matches: unclosed group"
            })
    void text_that_is_not_a_condition_is_refused_with_the_rule(String text, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Condition.parse(text))
                .withMessageStartingWith(rule);
    }
}
