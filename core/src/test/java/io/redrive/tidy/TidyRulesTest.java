package io.redrive.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule of the tidy test can fail: each rule gets a bad sample and a similar good sample. */
final class TidyRulesTest {
    private static final String MAIN = "core/src/main/java/io/redrive/core/Sample.java";
    private static final String TEST = "core/src/test/java/io/redrive/core/SampleTest.java";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(10);",
                "TimeUnit.SECONDS.sleep(1);",
                "var t = Instant.now();",
                "Supplier<Instant> t = Instant::now;",
                "long t = System.currentTimeMillis();",
                "long t = System.nanoTime();",
                "LongSupplier t = System::nanoTime;",
                "double d = Math.random();",
                "var r = new Random(7);",
                "e.printStackTrace();",
                "System.out.println(1);",
                "System.err.println(1);"
            })
    void banned_calls_in_main_are_found(String line) {
        assertThat(calls(MAIN, "class A {\n" + line + "\n}"))
                .singleElement()
                .asString()
                .startsWith(MAIN + ":2 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// Thread.sleep(10) would block",
                "/** Not {@code System.nanoTime()}. */",
                "String s = \"Instant.now() and \\\" System.out\";",
                "String s = \"\"\"\nSystem.out\n\"\"\";",
                "var r = new RandomWalk(3);"
            })
    void prose_and_neighbours_are_not_calls(String line) {
        assertThat(calls(MAIN, line)).isEmpty();
    }

    @Test
    void the_seam_may_read_the_clock_and_the_bench_may_do_what_it_likes() {
        assertThat(calls("core/src/main/java/io/redrive/core/SystemTime.java", "System.nanoTime();"))
                .isEmpty();
        assertThat(calls("bench/src/main/java/io/redrive/bench/A.java", "System.out.print(System.nanoTime());"))
                .isEmpty();
        assertThat(calls("cli/src/main/java/io/redrive/cli/A.java", "System.out.print(1);"))
                .isEmpty();
        assertThat(calls("cli/src/main/java/io/redrive/cli/A.java", "Instant.now();"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Thread.sleep(1);", "@Disabled void a() {}", "assertTrue(true);", "assertThat(true).isTrue();"})
    void banned_calls_in_tests_are_found(String line) {
        assertThat(Ban.violations(TidyRules.CALLS_IN_TESTS, sample(TEST, line))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "final class RetryImpl {}",
                "class StringUtil {}",
                "class StringUtils {}",
                "record RetryHelper() {}",
                "interface RetryManager {}",
                "abstract class AbstractRetry {}",
                "class BaseRetry<T> {}",
                "enum DefaultRetry {}",
                "package io.redrive.util;",
                "package io.redrive.internal.core;"
            })
    void empty_names_are_found(String line) {
        assertThat(Ban.violations(TidyRules.NAMES, sample(MAIN, line))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"class Baseline {}", "class Defaulted {}", "class Implied {}", "package io.redrive.apiary;"})
    void names_that_only_sound_similar_pass(String line) {
        assertThat(Ban.violations(TidyRules.NAMES, sample(MAIN, line))).isEmpty();
    }

    @Test
    void long_files_are_found() {
        assertThat(TidyRules.longFiles(sample(MAIN, "x\n".repeat(400)))).isEmpty();
        assertThat(TidyRules.longFiles(sample(MAIN, "x\n".repeat(401)))).hasSize(1);
        assertThat(TidyRules.longFiles(sample(TEST, "x\n".repeat(600)))).isEmpty();
        assertThat(TidyRules.longFiles(sample(TEST, "x\n".repeat(601)))).hasSize(1);
    }

    @Test
    void public_types_without_comment_are_found() {
        assertThat(TidyRules.publicTypesWithoutComment(sample(MAIN, "import a.B;\n\n@X\npublic final class A {}")))
                .containsExactly(MAIN + ":4 public type A has no Javadoc; say in a sentence what it is");
        assertThat(TidyRules.publicTypesWithoutComment(sample(MAIN, "/** A. */\n@X\npublic sealed interface A {}")))
                .isEmpty();
        assertThat(TidyRules.publicTypesWithoutComment(sample(MAIN, "final class A {}")))
                .isEmpty();
    }

    @Test
    void tabs_and_trailing_whitespace_are_found() {
        assertThat(Ban.violations(TidyRules.WHITESPACE, sample("a.md", "one\n\ttwo\nthree \n")))
                .satisfiesExactly(
                        tab -> assertThat(tab).startsWith("a.md:2 "),
                        end -> assertThat(end).startsWith("a.md:3 "));
        assertThat(Ban.violations(TidyRules.WHITESPACE, sample("a.txt", "\t"))).isEmpty();
    }

    @Test
    void machine_paths_and_package_hosts_are_found() {
        for (String bad : List.of(
                "cd /ho" + "me/ann/redrive",
                "'/Us" + "ers/ann'",
                "<reposi" + "tory>",
                "distribution" + "Url=x",
                "https://repo.ma" + "ven.apache.org")) {
            assertThat(Ban.violations(TidyRules.PLACES, sample("a.md", bad)))
                    .as(bad)
                    .hasSize(1);
        }
        assertThat(Ban.violations(TidyRules.PLACES, sample("a.md", "docs/work/flow.md, $HOME/work/a")))
                .isEmpty();
    }

    @Test
    void broken_links_are_found() {
        var page = sample(
                "docs/a.md",
                "[ok](b.md#part) [web](https://example.org) [here](#x) `[code](no.md)`\n```\n[code](no.md)\n```\n[bad](../no.md)");
        assertThat(TidyRules.brokenLinks(page, "docs/b.md"::equals))
                .containsExactly("docs/a.md:5 link to ../no.md leads nowhere; link to a file of this repository");
    }

    @Test
    void dependencies_against_the_arrows_are_found() {
        assertThat(Modules.wrongDirections(pom("jdbc", "pipeline", "compile")))
                .singleElement()
                .asString()
                .contains("jdbc must not depend on pipeline; use only [core, events, items]");
        assertThat(Modules.wrongDirections(pom("jdbc", "pipeline", "test"))).isEmpty();
        assertThat(Modules.wrongDirections(pom("jdbc", "core", "compile"))).isEmpty();
        assertThat(Modules.wrongDirections(pom("novelty", "core", "compile"))).hasSize(1);
    }

    @Test
    void a_dependency_of_core_is_found() {
        assertThat(Modules.dependenciesOfCore(pom("core", "events", "runtime"))).hasSize(1);
        assertThat(Modules.dependenciesOfCore(pom("core", "events", "test"))).isEmpty();
    }

    @Test
    void a_module_without_its_names_is_found() {
        assertThat(Modules.wrongNames(pom("core", "events", "test"))).isEmpty();
        assertThat(Modules.wrongNames(new SourceFile("core/pom.xml", "<project><artifactId>x</artifactId></project>")))
                .hasSize(2);
    }

    @Test
    void a_module_in_a_folder_of_another_is_named_after_both() {
        SourceFile shop = new SourceFile(
                "examples/shop/pom.xml",
                "<project><artifactId>redrive-examples-shop</artifactId><properties>"
                        + "<java.module.name>io.redrive.examples.shop</java.module.name></properties></project>");
        assertThat(Modules.wrongNames(shop)).isEmpty();
    }

    @Test
    void a_module_without_a_row_is_found() {
        var page = new SourceFile("ARCHITECTURE.md", "```\ncore/  decides\n```\n| `events` | nouns |\nitems-like\n");
        assertThat(Modules.missingRows(List.of("core", "events", "items"), page))
                .singleElement()
                .asString()
                .contains("'items'");
    }

    private static List<String> calls(String path, String text) {
        return Ban.violations(TidyRules.CALLS_IN_MAIN, sample(path, text));
    }

    private static List<SourceFile> sample(String path, String text) {
        return List.of(new SourceFile(path, text));
    }

    @Test
    void a_module_that_the_bom_forgets_and_a_bom_of_another_version_are_reported() {
        SourceFile parent = new SourceFile("pom.xml", "<project><version>2</version></project>");
        SourceFile bom = new SourceFile("bom/pom.xml", """
                <project><version>1</version><packaging>pom</packaging><artifactId>redrive-bom</artifactId>
                <dependencyManagement><dependencies><dependency><artifactId>redrive-core</artifactId></dependency>
                </dependencies></dependencyManagement></project>""");
        SourceFile core = pom("core", "events", "test");
        SourceFile jdbc = pom("jdbc", "events", "compile");
        assertThat(Modules.missingInBom(List.of(core, jdbc, bom), parent, bom)).hasSize(2);
        assertThat(Modules.missingInBom(List.of(core, bom), bom, bom)).isEmpty();
        assertThat(Modules.wrongNames(bom)).as("a BOM is no Java module").isEmpty();
    }

    private static SourceFile pom(String module, String dependency, String scope) {
        return new SourceFile(module + "/pom.xml", """
                <project>
                  <artifactId>redrive-%s</artifactId>
                  <properties><java.module.name>io.redrive.%s</java.module.name></properties>
                  <dependencies>
                    <dependency>
                      <artifactId>redrive-%s</artifactId>
                      <scope>%s</scope>
                    </dependency>
                  </dependencies>
                </project>
                """.formatted(module, module, dependency, scope));
    }
}
