package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.items.FailureBudget;
import io.redrive.items.ItemPipeline;
import io.redrive.items.Stage;
import io.redrive.items.StatusThresholds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PipelineFileTest {

    @TempDir
    private Path folder;

    @Test
    void every_setting_is_read() throws Exception {
        ItemPipeline<String, String> pipeline = read("""
                name: summaries
                id: /id
                max-payload: 4MiB
                failure-budget: {share: 5%, every: 200}
                status: {completed: 99%, partial: 0.6}
                stages:
                  - filter: english
                    where: [/lang == en, /text length > 20]
                  - http: summarize
                    url: http://localhost:1/v1
                    concurrency: 64
                    time-limit: 30s
                    rate-limit: 600/m
                    retry:
                      max-attempts: 7
                      max-delay: 10s
                  - command: score
                    run: [sh, -c, cat]
                    batch: 10
                """);

        assertThat(pipeline.name()).isEqualTo("summaries");
        assertThat(pipeline.stageNames()).containsExactly("english", "summarize", "score");
        assertThat(pipeline.maxPayload()).isEqualTo(4 * 1024 * 1024);
        assertThat(pipeline.failureBudget()).isEqualTo(new FailureBudget(0.05, 200));
        assertThat(pipeline.thresholds()).isEqualTo(new StatusThresholds(0.99, 0.6));
        assertThat(pipeline.stages().get(1))
                .returns(64, Stage::concurrency)
                .returns(Duration.ofSeconds(30), stage -> stage.timeLimit().orElseThrow());
        assertThat(pipeline.stages().get(1).policy())
                .hasToString(Presets.STAGE.toBuilder()
                        .maxAttempts(7)
                        .backoff(io.redrive.core.Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(10)))
                        .build()
                        .toString());
        assertThat(pipeline.stages().get(2).concurrency()).isEqualTo(1);
    }

    @Test
    void missing_settings_have_defaults() throws Exception {
        ItemPipeline<String, String> pipeline = read("stages: [{filter: all, where: /a exists}]");

        assertThat(pipeline.name()).isEqualTo("test");
        assertThat(pipeline.failureBudget()).isEqualTo(FailureBudget.STANDARD);
        assertThat(pipeline.stages().get(0).policy())
                .hasToString(RetryPolicy.noRetry().toString());
    }

    @Test
    void a_changed_request_changes_the_config_hash_and_a_changed_secret_does_not() throws Exception {
        String yaml = "stages: [{http: a, url: 'http://localhost/', headers: {K: '${env:KEY}'}, body: 'x'}]";

        String hash = hash(yaml, "one");
        assertThat(hash(yaml, "two")).isEqualTo(hash);
        assertThat(hash(yaml.replace("'x'", "'y'"), "one")).isNotEqualTo(hash);
    }

    @Test
    void a_shared_part_is_written_once() throws Exception {
        ItemPipeline<String, String> pipeline = read("""
                stages:
                  - {http: a, url: 'http://localhost/a', retry: &patient {max-attempts: 9}}
                  - {http: b, url: 'http://localhost/b', retry: *patient}
                """);

        assertThat(pipeline.stages()).allMatch(stage -> stage.policy().maxAttempts() == 9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | test.yml: must have a list of 'stages', got nothing",
                "- 1 | test.yml:1: must be a mapping such as 'key: value', got a list",
                "a: [1 | test.yml:2: not valid YAML",
                "stage: [] | test.yml:1: must have 'stages', such as",
                "stages: [] | test.yml:1: stages: must have at least one stage",
                "stages: x | test.yml:1: stages: must be a list, got 'x'",
                "stages: [x] | test.yml:1: stages[0]: must be a mapping such as 'key: value', got 'x'",
                "name: a b | test.yml:1: pipeline name must be 1 to",
                "nmae: x | test.yml:1: nmae: must be a known key; did you mean 'name'? Known here: name, id, max-payload, failure-budget,",
                "name: a;name: b | test.yml:2: must have each key once, got 'name' twice",
                "id: title | test.yml:1: id: must be a JSON pointer such as /choices/0/text, got 'title'",
                "failure-budget: 110% | test.yml:1: failure-budget: must be a share between 0 and 1",
                "failure-budget: lots | test.yml:1: failure-budget: must be a number, got 'lots'",
                "failure-budget: {every: 0} | test.yml:1: failure-budget.every: must be a whole number of at least 1, got '0'",
                "status: {completed: 40%} | test.yml:1: status: status thresholds must satisfy",
                "max-payload: 2TB | test.yml:1: max-payload: must be a number of bytes, such as 512KiB or 4MiB, got '2TB'",
                "max-payload: 2GiB | test.yml:1: max-payload: must be between 1 byte and 1GiB, got '2GiB'"
            })
    void a_mistake_at_the_top_is_reported_with_file_line_key_rule_and_value(String yaml, String message) {
        String stages = yaml.contains("stage") || yaml.isEmpty() || !yaml.matches("[a-z].*")
                ? ""
                : "\nstages: [{filter: f, where: /a exists}]";
        refused(yaml.replace(";", "\n") + stages, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "url: http://h/ | must have one of the keys http, command, filter, such as 'http: summarize', got url",
                "http: a;filter: b | must have one of the keys http, command, filter, such as 'http: summarize', got http and filter",
                "http: a b;url: http://h/ | .http: stage name must be 1 to",
                "http: a | must have 'url', such as http://localhost:8080/v1/summaries",
                "http: a;url: ftp://h/ | .url: must begin with http:// or https://, got 'ftp://h/'",
                "http: a;url: h:80/x | .url: must begin with http:// or https://, got 'h:80/x'",
                "http: a;url: http:///x | .url: must be a URL that begins with http:// or https:// and names a host",
                "http: a;url: http://h/ x | .url: must be a URL, got 'http://h/ x'",
                "http: a;url: http://h/${x} | .url: placeholders must be a JSON pointer such as ${/title}",
                "http: a;url: http://h/${env:NO} | .url: names ${env:NO}, which must be set in the environment",
                "http: a;url: http://h/;method: FETCH | .method: must be one of GET, POST, PUT, PATCH, DELETE, got 'FETCH'",
                "http: a;url: http://h/;headers: {Host: x} | .headers.Host: must be a header that may be sent",
                "http: a;url: http://h/;headers: {A b: x} | .headers.A b: must be a header that may be sent",
                "http: a;url: http://h/;body: '{\"a\": ${/n}}' | .body: is not JSON",
                "http: a;url: http://h/;body: {n: 0x10} | .body.n: must be a number as JSON has it, or quoted, got 0x10",
                "http: a;url: http://h/;body: {n: '${/'} | .body: must close each ${ with }",
                "http: a;url: http://h/;answer: xml | .answer: must be one of json, text, got 'xml'",
                "http: a;url: http://h/;pick: text | .pick: must be a JSON pointer",
                "http: a;url: http://h/;batch: 0 | .batch: must be a whole number of at least 1, got '0'",
                "http: a;url: http://h/;batch: 2;answer: text | must not have both 'batch' and 'answer: text'",
                "http: a;url: http://h/;batch: 2;body: {i: '${id}'} | must not name ${id}, ${ordinal} or ${attempt}",
                "http: a;url: http://h/;concurrency: 20000 | .concurrency: concurrency of stage 'a' must be between 1 and 10000, got 20000",
                "http: a;url: http://h/;time-limit: 5 | .time-limit: duration must be a number with a unit",
                "http: a;url: http://h/;time-limit: 0s | .time-limit: time limit of stage 'a' must be longer than zero",
                "http: a;url: http://h/;rate-limit: 5 | .rate-limit: must be calls per time, such as 20/s",
                "http: a;url: http://h/;rate-limit: 0/s | .rate-limit: rate limit must be above 0",
                "http: a;url: http://h/;color: red | .color: must be a known key. Known here: http, command, filter, batch, body,",
                "http: a;url: http://h/;item: ${/a} | .item: must not be set without 'batch'",
                "http: a;url: http://h/;pick-each: /a | .pick-each: must not be set without 'batch'",
                "http: a;url: http://h/;pick: choices/0 | .pick: must be a JSON pointer such as /choices/0/text, got 'choices/0'",
                "http: a;url: http://h/;into: /a~2 | .into: must be a JSON pointer, in which ~ is written ~0 and / within a name ~1, got '/a~2'",
                "http: a;url: http://h/;rate-limit: 20 | .rate-limit: must be calls per time, such as 20/s, 600/m or 0.5/s, got '20'",
                "http: a;url: http://h/;time-limit: 0s | .time-limit: time limit of stage 'a' must be longer than zero, got 0ms",
                "filter: a;where: /a == 1 and /b == 2 | .where: must end with a JSON value (a string in quotes); several conditions are a list, and all must hold, got '/a == 1 and /b == 2'",
                "http: a;url: http://h/;timeLimit: 5s | .timeLimit: must be a known key; did you mean 'time-limit'? Known here: http, command, filter, batch, body,",
                "http: a;url: http://h/;retry: 5 | .retry: must be a mapping such as 'key: value', got '5'",
                "http: a;url: http://h/;retry: {max-attempts: 0} | .retry.max-attempts: must be at least 1, got '0'",
                "http: a;url: http://h/;retry: {attempts: 3} | .retry.attempts: unknown setting 'attempts' = '3'; did you mean max-attempts? known settings:",
                "http: a;url: http://h/;retry: {backoff: slow} | .retry.backoff: must be one of none, fixed, linear",
                "http: a;url: http://h/;retry: {retry-on-status: [99]} | .retry.retry-on-status: HTTP status must be between 100 and 599",
                "command: a | must have 'run', such as [python3, embed.py]",
                "command: a;run: [] | .run: must name a program, such as [python3, embed.py]",
                "command: a;run: [no-such-program-here] | .run: must name a program that can be run, got 'no-such-program-here', which is not on the PATH",
                "command: a;run: [./nothing.sh] | .run: must name a program that can be run, got './nothing.sh', which is not in",
                "command: a;run: [sh, '${/x}'] | .run: must not have placeholders, because one process serves all samples",
                "command: a;run: 'echo ${/x}';mode: once | .run: must be a list when it has placeholders",
                "command: a;run: cat;mode: twice | .mode: must be one of lines, once, got 'twice'",
                "command: a;run: cat;mode: once;batch: 2 | .batch: must not be set with 'mode: once'",
                "command: a;run: cat;concurrency: 1000 | .concurrency: must be at most 256 for a command",
                "filter: a | must have 'where', such as /lang == \"en\"",
                "filter: a;where: lang | .where: must be a JSON pointer, an operator and a value",
                "filter: a;where: [/a exists, x] | .where[1]: must be a JSON pointer, an operator and a value"
            })
    void a_mistake_in_a_stage_is_reported_with_file_line_key_rule_and_value(String stage, String message) {
        String keys = stage.replace(";", "\n    ");
        String start = message.startsWith(".") ? "stages[0]" : "stages[0]: ";

        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("stages:\n  - " + keys + "\n"))
                .withMessageContaining("test.yml:")
                .withMessageContaining(start + message);
    }

    @Test
    void the_reported_line_is_the_line_of_the_mistake() {
        refused(
                "name: x\nstages:\n  - filter: f\n    where: /a exists\n  - http: h\n    url: http://h/\n    retry:\n"
                        + "      max-attempts: 3\n      jitter: 7\n",
                "test.yml:9: stages[1].retry.jitter: ");
        refused(
                "stages:\n  - {filter: f, where: /a exists}\n  - {filter: f, where: /b exists}\n",
                "test.yml:3: stages[1]: pipeline 'test' must not have two stages of one name, got 'f' twice");
    }

    @Test
    void a_file_with_circular_or_exploding_aliases_is_refused() {
        refused(
                "stages:\n  - http: h\n    url: http://h/\n    body: &a\n      b: *a\n",
                "must have at most 10000 values in at most 100 levels");
        String bomb = "stages:\n  - http: h\n    url: http://h/\n    body:\n      a: &a [1,2,3,4,5,6,7,8,9]\n";
        for (char c = 'b'; c < 'h'; c++) {
            char before = (char) (c - 1);
            bomb += "      " + c + ": &" + c + " [" + ("*" + before + ",").repeat(8) + "*" + before + "]\n";
        }
        refused(bomb, "");
    }

    @Test
    void a_missing_file_is_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PipelineFile.read(folder.resolve("no.yml"), context("")))
                .withMessageStartingWith("the pipeline file must name a file that exists, got ");
    }

    private void refused(String yaml, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(yaml)).withMessageContaining(message);
    }

    private String hash(String yaml, String key) throws IOException {
        return read(yaml, key).stages().get(0).configHash();
    }

    private ItemPipeline<String, String> read(String yaml) throws IOException {
        return read(yaml, "s3cret");
    }

    private ItemPipeline<String, String> read(String yaml, String key) throws IOException {
        Path file = Files.writeString(folder.resolve("test.yml"), yaml);
        return PipelineFile.read(file, context(key)).pipeline();
    }

    private static RunContext context(String key) {
        return new RunContext(
                Map.of("KEY", key, "PATH", System.getenv("PATH")), io.redrive.core.Time.system(), new StopSignal());
    }
}
