package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People try the README first: this test compiles and runs the README's program unchanged. */
final class ReadmeTest {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    @Test
    void the_program_compiles_without_a_warning_and_prints_the_shown_output() throws Exception {
        // The second program needs more than core; the tests of examples run it.
        List<String> programs = JAVA.matcher(readme())
                .results()
                .map(found -> found.group(1))
                .filter(program -> program.contains("class Hello"))
                .toList();
        assertThat(programs).hasSize(1);

        compile("Hello", programs.get(0));

        assertThat(run("Hello")).isEqualToIgnoringNewLines("sunny after 3 attempts");
    }

    @Test
    void the_schedule_is_the_answer_of_the_policy() throws IOException {
        Schedule schedule = RetryPolicy.builder()
                .maxAttempts(5)
                .backoff(Backoff.exponential(DurationText.parse("250ms"), DurationText.parse("60s")))
                .jitter(0.2)
                .build()
                .explain();

        List<List<String>> shown = Pattern.compile("(?m)^ +(\\d+) +(\\S+) +(\\S+) +(\\S+) +(\\S+) +[█░]+$")
                .matcher(readme())
                .results()
                .map(ReadmeTest::groups)
                .toList();
        assertThat(shown)
                .containsExactlyElementsOf(schedule.rows().stream()
                        .map(row -> List.of(
                                Integer.toString(row.attempt()),
                                DurationText.format(row.base()),
                                DurationText.format(row.least()),
                                DurationText.format(row.most()),
                                DurationText.format(row.cumulative())))
                        .toList());
        assertThat(readme()).contains(schedule.policy() + "\n");
    }

    @Test
    void the_readme_stays_short() throws IOException {
        assertThat(readme().lines().count()).isLessThan(150);
    }

    private static List<String> groups(MatchResult found) {
        return List.of(found.group(1), found.group(2), found.group(3), found.group(4), found.group(5));
    }

    private void compile(String name, String source) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        messages,
                        messages,
                        "-Xlint:all",
                        "-proc:none",
                        "-cp",
                        Path.of("target", "classes").toString(),
                        "-d",
                        folder.toString(),
                        file.toString());
        assertThat(messages.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
    }

    private String run(String name) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("..", "README.md"));
    }
}
