package io.redrive.pipelinefiles;

import io.redrive.core.CostLimit;
import io.redrive.items.CallCost;
import io.redrive.items.Stage;
import io.redrive.items.store.Price;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;

/**
 * The limit of an HTTP stage by tokens. Reserves the estimate of a sample before its call and corrects it by the answer.
 *
 * @param stage the stage's name, for messages
 * @param price the price of tokens; empty when the file has none
 * @param per the period of the limit
 * @param estimate the expected tokens of a sample
 * @param actual the place of the number of tokens in the answer
 * @param warned true after the warning about an answer without a number of tokens
 */
record TokenLimit(
        String stage,
        CostLimit limit,
        Optional<Price> price,
        Duration per,
        ToLongFunction<JsonValue> estimate,
        JsonPointer actual,
        AtomicBoolean warned) {

    private static final Logger LOG = System.getLogger(TokenLimit.class.getPackageName());
    private static final List<String> RESET = List.of("requests", "tokens");
    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,9})?)";
    /** Days, hours, minutes, seconds, milliseconds. */
    private static final Pattern DURATION = Pattern.compile(
            "(?:(\\d{1,4})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m(?!s))?(?:" + NUMBER + "s)?(?:" + NUMBER + "ms)?");

    private static final double[] SECONDS = {86_400, 3_600, 60, 1, 0.001};
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Reads {@code {tokens: 90_000/min, estimate: 1200, actual: /usage/total_tokens, price: 0.15 USD/1M}}. */
    static TokenLimit read(YamlSection keys, String stage) {
        Parse.CostRate rate = keys.required("tokens", "90_000/min").as(Parse::costRate);
        YamlValue estimate = keys.required("estimate", "1200, or /max_tokens, which leads to it in the sample");
        JsonPointer actual = keys.required("actual", "/usage/total_tokens, which leads to it in the answer")
                .as(Parse::pointer);
        CostLimit limit = keys.required("tokens", "").as(text -> CostLimit.of("tokens", rate.amount(), rate.per()));
        Optional<Price> price = keys.find("price").map(value -> value.as(Price::parse));
        return new TokenLimit(stage, limit, price, rate.per(), estimate(estimate, rate), actual, new AtomicBoolean());
    }

    private static ToLongFunction<JsonValue> estimate(YamlValue value, Parse.CostRate rate) {
        if (value.text().startsWith("/")) {
            JsonPointer pointer = value.as(Parse::pointer);
            return sample -> number(sample, pointer)
                    .filter(tokens -> tokens.compareTo(BigDecimal.valueOf(rate.amount())) <= 0)
                    .orElseThrow(() -> new SampleException("the sample must have an estimate of 0 to " + rate.amount()
                            + " tokens, the whole limit, at " + pointer))
                    .longValue();
        }
        long fixed = value.as(text -> (long) Parse.count(text.replace("_", "")));
        if (fixed > rate.amount()) {
            throw value.wrong("must be at most the whole limit of " + rate.amount() + " tokens, got " + fixed);
        }
        return sample -> fixed;
    }

    private static Optional<BigDecimal> number(JsonValue value, JsonPointer pointer) {
        try {
            return value.at(pointer).map(found -> new BigDecimal(found.text())).filter(number -> number.signum() >= 0);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    Stage<String, String> applied(Stage<String, String> to) {
        ToLongFunction<String> ofText = value -> estimate.applyAsLong(JsonValue.parse(value));
        return price.map(each -> to.costLimit(limit, ofText, each)).orElseGet(() -> to.costLimit(limit, ofText));
    }

    /**
     * Passes on the remaining tokens that the server reports in headers. The limit that the server reports is per minute and is
     * passed on only for a limit per minute. When no request or no token remains, no call begins before the reported reset.
     */
    void observe(HttpHeaders headers, CallCost cost) {
        long allowed = per.equals(Duration.ofMinutes(1)) ? header(headers, "x-ratelimit-limit-tokens") : -1;
        cost.observed(allowed, header(headers, "x-ratelimit-remaining-tokens"));
        for (String what : RESET) {
            if (header(headers, "x-ratelimit-remaining-" + what) == 0) {
                headers.firstValue("x-ratelimit-reset-" + what)
                        .flatMap(TokenLimit::reset)
                        .ifPresent(cost::hold);
            }
        }
    }

    /** Reads {@code 1s}, {@code 6m0s}, {@code 1h2m3.5s}, {@code 120ms}, or a number of seconds; empty for other texts. */
    static Optional<Duration> reset(String text) {
        Matcher parts = DURATION.matcher(text.matches(NUMBER) ? text + "s" : text);
        if (text.isEmpty() || !parts.matches()) {
            return Optional.empty();
        }
        double seconds = 0;
        for (int i = 0; i < SECONDS.length; i++) {
            String part = parts.group(i + 1);
            seconds += part == null ? 0 : Double.parseDouble(part) * SECONDS[i];
        }
        return Optional.of(Duration.ofMillis((long) Math.ceil(seconds * 1_000)));
    }

    private static long header(HttpHeaders headers, String name) {
        return headers.firstValue(name)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(-1L);
    }

    /** Corrects the estimate by the answer; an answer without a number of tokens changes nothing. */
    void correct(JsonValue answer, CallCost cost) {
        number(answer, actual)
                .ifPresentOrElse(tokens -> cost.actual(tokens.min(MOST).longValue()), () -> {
                    if (warned.compareAndSet(false, true)) {
                        LOG.log(
                                Level.WARNING,
                                "stage {0}: an answer has no number of tokens at {1}; such answers count as estimated",
                                stage,
                                actual);
                    }
                });
    }
}
