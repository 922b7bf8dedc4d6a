package io.redrive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.redrive.core.Time;
import io.redrive.events.InMemoryEventStore;
import io.redrive.kafka.KafkaFlow.PartitionStatus;
import io.redrive.pipeline.AlertThresholds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The shipped rules and dashboard use only existing meters. */
final class OpsFilesTest {

    private static final Path OPS = Path.of("..", "docs", "ops");
    private static final Pattern METER = Pattern.compile("\\b(?:events?|pipeline|kafka_flow)_[a-z_]+\\b");

    @Test
    void the_rules_hold_the_thresholds_of_the_code() throws IOException {
        Map<String, String> rules = rules();
        AlertThresholds standard = AlertThresholds.STANDARD;
        assertThat(rules.get("RedriveRetryRateHigh")).contains("> " + standard.retryRate());
        assertThat(rules.get("RedriveDeadLettersHigh")).contains("> " + standard.deadLetters());
        assertThat(rules.get("RedriveBatchTimeoutRateHigh")).contains("> " + standard.timeoutRate());
        assertThat(rules.get("RedriveDedupRateHigh")).contains("> " + standard.dedupRate());
        assertThat(rules.values().stream().filter(rule -> rule.contains("["))).allMatch(rule -> rule.contains("[5m]"));
    }

    @Test
    void the_rules_use_meters_that_exist() throws IOException {
        assertExist(rules().values());
    }

    @Test
    void the_dashboard_is_valid_json_and_uses_meters_that_exist() throws IOException {
        List<String> expressions = dashboardExpressions();
        assertThat(expressions).hasSizeGreaterThan(8);
        assertExist(expressions);
    }

    @Test
    void flows_from_kafka_have_rules_and_panels_for_lag_keys_pauses_held_records_and_letters() throws IOException {
        for (String meter : List.of("lag", "blocked_keys", "paused", "held", "letters", "brake", "partitions")) {
            assertThat(rules().values()).as(meter).anyMatch(rule -> rule.contains("kafka_flow_" + meter));
            assertThat(dashboardExpressions()).as(meter).anyMatch(expr -> expr.contains("kafka_flow_" + meter));
        }
    }

    @Test
    void the_runbook_has_a_next_step_for_each_alert() throws IOException {
        String runbook = Files.readString(OPS.resolve("runbook.md"));
        assertThat(rules().keySet()).allSatisfy(alert -> assertThat(runbook).contains("| `" + alert + "` |"));
    }

    private static void assertExist(Iterable<String> expressions) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        PipelineMetrics.on(registry, "shop", new InMemoryEventStore());
        KafkaMetrics.on(
                registry,
                "shop",
                new InMemoryEventStore(),
                () -> List.of(new PartitionStatus("orders", 0, 0, 0, 0, 0, false, 0, 0)),
                () -> 0,
                Optional::empty,
                Time.system());
        // The first reading finds the topics.
        registry.scrape();
        Set<String> existing = registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String expression : expressions) {
            Set<String> used = new TreeSet<>();
            // Label values look like meters too, but are quoted.
            Matcher meter = METER.matcher(expression.replaceAll("\"[^\"]*\"", "\"\""));
            while (meter.find()) {
                used.add(meter.group());
            }
            assertThat(used).as(expression).isNotEmpty();
            assertThat(existing).as(expression).containsAll(used);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> rules() throws IOException {
        Map<String, Object> file = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(OPS.resolve("prometheus-rules.yml")));
        Map<String, String> expressions = new LinkedHashMap<>();
        for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
            for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
                expressions.put((String) rule.get("alert"), (String) rule.get("expr"));
            }
        }
        return expressions;
    }

    private static List<String> dashboardExpressions() throws IOException {
        List<String> expressions = new ArrayList<>();
        String json = Files.readString(OPS.resolve("grafana-dashboard.json"));
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "expr".equals(parser.currentName())) {
                    expressions.add(parser.getString());
                }
            }
        }
        return expressions;
    }
}
