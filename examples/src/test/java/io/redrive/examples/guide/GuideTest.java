package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares the guide with the code: Java in the guide is compiled and run, numbers and figures equal those of the code. With
 * {@code -Dredrive.docs=write}, updates the guide first.
 */
final class GuideTest {

    private static final Guide GUIDE = Guide.find();
    private static Map<String, String> sources;

    @BeforeAll
    static void read() {
        sources = GUIDE.sources(GuideOutputs.all());
        if (System.getProperty("redrive.docs", "check").equals("write")) {
            GUIDE.write(sources);
            Guide.figures().forEach((name, figure) -> GUIDE.writeImage(name, figure.get()));
        }
    }

    @Test
    void every_quoted_block_is_what_the_code_says() {
        assertThat(Guide.differences(GUIDE.pages(), sources)).isEmpty();
    }

    @Test
    void every_java_block_is_compiled() {
        assertThat(GUIDE.pages().stream().flatMap(page -> page.unmarkedJava().stream()))
                .isEmpty();
    }

    @Test
    void nothing_is_kept_that_no_page_quotes() {
        assertThat(Guide.unused(GUIDE.pages(), sources)).isEmpty();
    }

    @Test
    void every_figure_is_what_the_code_draws() {
        Map<String, String> committed = GUIDE.images();
        assertThat(committed.keySet())
                .containsExactlyInAnyOrderElementsOf(Guide.figures().keySet());
        Guide.figures()
                .forEach((name, figure) -> assertThat(committed.get(name))
                        .withFailMessage(() -> "docs/guide/img/" + name
                                + " is not what the code draws; redraw it with -Dredrive.docs=write")
                        .isEqualTo(figure.get()));
    }

    @Test
    void the_calculation_for_kafka_uses_the_figures_that_were_measured() throws IOException {
        String measured = Files.readString(GUIDE.root().resolve("bench/README.md"));
        String page = Files.readString(GUIDE.root().resolve("docs/guide/kafka.md"));
        String calculation = page.substring(page.indexOf("## On paper"));
        for (String name : List.of("clean", "clean-keyed", "poison-1-percent", "handler-1ms")) {
            Matcher row = Pattern.compile("\\| " + name + " +\\| records/s \\| ([\\d,]+) ")
                    .matcher(measured);
            assertThat(row.find()).as(name + " in bench/README.md").isTrue();
            assertThat(calculation).as(name).contains(row.group(1));
        }
    }

    // ---- The checks themselves ----

    private static final GuidePage PAGE = new GuidePage(
            "page.md",
            List.of("text", "<!-- snippet: greet -->", "```java", "hello();", "```", "", "```java", "loose();", "```"));

    @Test
    void a_block_that_differs_is_reported_with_its_place() {
        assertThat(Guide.differences(List.of(PAGE), Map.of("snippet greet", "goodbye();")))
                .singleElement()
                .asString()
                .startsWith("page.md:4 snippet 'greet' differs");
        assertThat(Guide.differences(List.of(PAGE), Map.of("snippet greet", "hello();")))
                .isEmpty();
    }

    @Test
    void a_block_without_a_source_is_reported() {
        assertThat(Guide.differences(List.of(PAGE), Map.of()))
                .singleElement()
                .asString()
                .contains("does not exist");
    }

    @Test
    void java_without_a_marker_is_reported() {
        assertThat(PAGE.unmarkedJava()).singleElement().asString().startsWith("page.md:7 ");
    }

    @Test
    void a_source_that_no_page_quotes_is_reported() {
        assertThat(Guide.unused(List.of(PAGE), Map.of("snippet greet", "hello();", "output table", "|")))
                .containsExactly("output table");
    }

    @Test
    void a_table_ends_at_the_empty_line() {
        GuidePage page = new GuidePage("page.md", List.of("<!-- output: t -->", "| a |", "|---|", "", "more"));
        GuidePage.Block block = page.quotes().get(0);
        assertThat(block.text()).isEqualTo("| a |\n|---|");
        assertThat(page.with(block, "| b |").lines()).containsExactly("<!-- output: t -->", "| b |", "", "more");
    }

    @Test
    void a_snippet_is_moved_to_the_left_and_keeps_its_shape() {
        assertThat(Snippets.in(List.of("    // snippet: a", "    if (x) {", "        y();", "    }", "    // end")))
                .containsExactly(Map.entry("a", "if (x) {\n    y();\n}"));
    }

    @Test
    void a_snippet_without_an_end_is_refused() {
        assertThatThrownBy(() -> Snippets.in(List.of("// snippet: a", "x();")))
                .hasMessage("snippet 'a' has no end; add // end");
    }
}
