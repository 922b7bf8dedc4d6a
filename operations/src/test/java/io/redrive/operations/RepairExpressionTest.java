package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepairExpressionTest {

    private static final int RANDOM_PAYLOADS = 200;

    @ParameterizedTest
    @CsvSource(delimiter = '¦', quoteCharacter = '`', textBlock = """
        $ ~> |$|{"currency": "BTC"}|                 ¦ {"currency": "XBT", "n": 1}   ¦ {"currency":"BTC","n":1}
        $ ~> |$|{}, ["n"]|                           ¦ {"a": 1, "n": null}           ¦ {"a":1}
        $merge([$, {"b": a + 1}])                    ¦ {"a": 1}                      ¦ {"a":1,"b":2}
        $ ~> |items|{"total": price * count}|        ¦ {"items":[{"price":1.5,"count":2}]} ¦ {"items":[{"price":1.5,"count":2,"total":3}]}
        items                                        ¦ {"items": []}                 ¦ []
        $.a                                          ¦ {"a": "text"}                 ¦ "text"
        a                                            ¦ {"a": null}                   ¦ null
        $join(a, "-")                                ¦ {"a": ["x", "y"]}             ¦ "x-y"
        $replace(a, /[0-9]+/, "#")                   ¦ {"a": "b12c3"}                ¦ "b#c#"
        $pad($string(a), 3, "#")                     ¦ {"a": 1}                      ¦ "1##"
        $map([1..3], function($x) {$x * 2})          ¦ 0                             ¦ [2,4,6]
        """)
    void an_expression_changes_a_payload(String expression, String payload, String expected) {
        assertThat(result(expression, payload)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\": 12345678901234567890, \"rate\": 0.1000, \"x\": 1}",
                "{\"id\": 12345678901234567890, \"other\": 12345678901234567891, \"x\": 1}",
                "{\"id\": 9007199254740993, \"rate\": 1e3, \"x\": 1}",
                "{\"id\": -0, \"rate\": 0.12345678901234567890, \"x\": 1}",
                "{\"id\": 1.0, \"rate\": [1.00, 100000000000000000001], \"x\": 1}"
            })
    void numbers_that_an_expression_does_not_touch_keep_their_digits(String payload) {
        String expected = payload.replace(" ", "").replace("\"x\":1", "\"x\":2");
        assertThat(result("$ ~> |$|{\"x\": 2}|", payload)).isEqualTo(expected);
        assertThat(result("$ ~> |$|{\"x\": 3}| ~> |$|{\"x\": 2}|", payload)).isEqualTo(expected);
        assertThat(result("$merge([$, {\"x\": 2}])", payload)).isEqualTo(expected);
    }

    @Test
    void a_number_that_moves_keeps_its_digits() {
        assertThat(result("{\"moved\": id}", "{\"id\": 12345678901234567890}"))
                .isEqualTo("{\"moved\":12345678901234567890}");
        assertThat(result("$ ~> |$|{\"items\": [items[1]]}|", "{\"items\": [1, 12345678901234567890]}"))
                .isEqualTo("{\"items\":[12345678901234567890]}");
    }

    @Test
    void a_number_whose_digits_would_be_lost_fails() {
        assertThat(failure("{\"next\": 2 * id}", "{\"id\": 12345678901234567890}"))
                .contains("/next may have lost digits");
        // After the copy, both ids are the same number for the engine.
        assertThat(failure(
                        "$ ~> |$|{\"ids\": [ids[2], ids[0], ids[1]]}|",
                        "{\"ids\": [12345678901234567890, 12345678901234567891, 1]}"))
                .contains("may have lost digits");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '¦', quoteCharacter = '`', textBlock = """
        nope                 ¦ {"a": 1}            ¦ the expression has no result
        $                    ¦ hello               ¦ cannot be read as JSON at line 1
        $                    ¦ {"a": 1, "a": 2}    ¦ has a field twice
        $                    ¦ 1 2                 ¦ there is more behind the first value
        $number(a)           ¦ {"a": "x"}          ¦ NumberFormatException
        $nope()              ¦ 1                   ¦ non-function (position 6 of the expression)
        $error("not mine")   ¦ 1                   ¦ not mine
        function($x) {$x}    ¦ 1                   ¦ the result is not JSON
        {"a": /x/}           ¦ 1                   ¦ the result is not JSON
        1/a                  ¦ {"a": 0}            ¦ out of range
        $eval("1")           ¦ 1                   ¦ $eval is not allowed
        """)
    void a_letter_without_a_valid_result_fails_with_its_reason(String expression, String payload, String reason) {
        assertThat(failure(expression, payload)).contains(reason);
    }

    @Test
    void payloads_that_no_engine_can_read_fail() {
        assertThat(failure("$", "")).contains("empty");
        assertThat(failure("$", "[".repeat(200) + "]".repeat(200))).contains("deeper than 100 levels");
        assertThat(failure("$", "1e999")).contains("beyond the numbers");
        assertThat(failure("$merge([$, {\"x\": 1}])", "{\"a\": \"\\ud800\"}")).contains("surrogate");
        RepairOutcome binary = RepairExpression.compile("$").apply(new byte[] {(byte) 0xff, 0});
        assertThat(binary).isInstanceOf(RepairOutcome.Failed.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '¦', quoteCharacter = '`', textBlock = """
        {                    ¦ before end of expression (position 1 of the expression)
        $foo(                ¦ position 5
        a b                  ¦ position 3
        $x := __evaluate_    ¦ must not use variables of the engine
        """)
    void a_wrong_expression_is_refused_with_its_position(String expression, String message) {
        assertThatThrownBy(() -> RepairExpression.compile(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void an_expression_of_the_wrong_length_or_depth_is_refused() {
        assertThatThrownBy(() -> RepairExpression.compile(" "))
                .hasMessage("expression must be 1 to 10000 characters, got 0");
        assertThatThrownBy(() -> RepairExpression.compile("1".repeat(10_001))).hasMessageContaining("got 10001");
    }

    static Stream<String> hostile() {
        return Stream.of(
                "($f := function($x) {$f($x)}; $f(1))",
                "($f := function($x) {1 + $f($x)}; $f(1))",
                "($f := function($x, $n) {$n = 0 ? $x : $f($x & $x, $n - 1)}; $f('xxxxxxxx', 60))",
                "$reduce([1..60], function($a, $b) {$append($a, $a)}, [1, 2])",
                "$string($reduce([1..60], function($a, $b) {[[$a], [$a]]}, 1))",
                "$reduce([1..60], function($a, $b) {[[$a], [$a]]}, 1)",
                "$pad('x', 2000000000)",
                "$join([1..9999999].('0123456789'))",
                "[1..9999999]",
                "$sum([1..9999999].($ * 2))",
                "$replace($pad('a', 1000000, 'a'), 'a', $pad('b', 1000000, 'b'))",
                "$map([1..9999999], function($x) {$map([1..9999999], function($y) {$y})})",
                "(".repeat(4_000) + "1" + ")".repeat(4_000),
                "[".repeat(4_000) + "1" + "]".repeat(4_000),
                "$match($pad('x', 40, 'x') & '!', /(x+x+)+y\\1(x*)*z/)");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void a_hostile_expression_ends_and_has_no_result(String expression) {
        try {
            RepairOutcome outcome =
                    RepairExpression.compile(expression).apply("{\"a\": 1}".getBytes(StandardCharsets.UTF_8));
            assertThat(outcome).isInstanceOf(RepairOutcome.Failed.class);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("nested too deep");
        }
    }

    @Test
    void an_expression_that_was_too_slow_three_times_is_not_evaluated_again() {
        RepairExpression endless = RepairExpression.compile("($f := function($x) {$f($x)}; $f(1))");
        byte[] payload = "1".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < RepairExpression.MAX_TIMEOUTS; i++) {
            assertThat(endless.apply(payload))
                    .isEqualTo(new RepairOutcome.Failed("the expression must end within 1000 ms, got no end"));
        }
        assertThat(endless.apply(payload).toString()).contains("not evaluated").contains("3 letters before");
    }

    @Test
    void the_identity_leaves_every_payload_as_it_is() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Random random = new Random(seed);
        RepairExpression identity = RepairExpression.compile("$");
        RepairExpression copy = RepairExpression.compile("$ ~> |$|{}|");
        for (int i = 0; i < RANDOM_PAYLOADS; i++) {
            String payload = RandomJson.object(random, 4);
            byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
            assertThat(identity.apply(bytes))
                    .as("seed %d: %s", seed, payload)
                    .isInstanceOf(RepairOutcome.Unchanged.class);
            assertThat(copy.apply(bytes)).as("seed %d: %s", seed, payload).isInstanceOf(RepairOutcome.Unchanged.class);
        }
    }

    @Test
    void classes_are_out_of_reach() {
        for (String expression :
                List.of("$getClass()", "$.class.name", "a.getClass()", "$java.lang.System", "$.a.class")) {
            assertThat(RepairExpression.compile(expression).apply("{\"a\": 1}".getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(RepairOutcome.Failed.class);
        }
    }

    private static String result(String expression, String payload) {
        RepairOutcome outcome = RepairExpression.compile(expression).apply(payload.getBytes(StandardCharsets.UTF_8));
        assertThat(outcome).isInstanceOf(RepairOutcome.Changed.class);
        return new String(((RepairOutcome.Changed) outcome).payload(), StandardCharsets.UTF_8);
    }

    private static String failure(String expression, String payload) {
        RepairOutcome outcome = RepairExpression.compile(expression).apply(payload.getBytes(StandardCharsets.UTF_8));
        assertThat(outcome).isInstanceOf(RepairOutcome.Failed.class);
        return ((RepairOutcome.Failed) outcome).reason();
    }
}
