package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.items.SampleContext;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TemplateTest {

    private static final Scope SCOPE = new Scope(
            JsonValue.parse("{\"title\":\"A & B\",\"n\":7,\"tags\":[\"x\"],\"none\":null,\"site\":\"http://a/b?c=d\"}"),
            new SampleContext("run-1", 41, "s-42", 2));

    @Test
    void placeholders_are_filled_from_the_sample() {
        assertThat(render("${/title} has ${/n} and ${/tags}")).isEqualTo("A & B has 7 and [\"x\"]");
        assertThat(render("${run}/${ordinal}: ${id}, ${attempt}")).isEqualTo("run-1/41: s-42, 2");
        assertThat(render("${}")).startsWith("{\"title\":\"A & B\"");
        assertThat(render("nothing to fill: $ { } $x")).isEqualTo("nothing to fill: $ { } $x");
    }

    @Test
    void a_placeholder_may_have_a_value_for_samples_that_have_none() {
        assertThat(render("${/lang:-en}|${/none:-}|${/n:-0}")).isEqualTo("en||7");
    }

    @Test
    void a_sample_without_the_value_is_a_bad_sample() {
        assertThatExceptionOfType(SampleException.class)
                .isThrownBy(() -> render("${/lang}"))
                .withMessageStartingWith("the sample must have a value at /lang and has none; set a default with");
        assertThatExceptionOfType(SampleException.class).isThrownBy(() -> render("a ${/none}"));
    }

    @Test
    void two_dollars_stand_for_one() {
        assertThat(render("$${/title} $$")).isEqualTo("${/title} $$");
    }

    @Test
    void environment_variables_are_read_with_the_file_and_never_printed() {
        Template template = Template.parse("Bearer ${env:KEY}", Map.of("KEY", "s3cret"));

        assertThat(template.render(SCOPE)).isEqualTo("Bearer s3cret");
        assertThat(template).hasToString("Bearer ${env:KEY}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Template.parse("${env:OTHER}", Map.of("KEY", "s3cret")))
                .withMessage("names ${env:OTHER}, which must be set in the environment");
    }

    @Test
    void values_are_percent_encoded_in_a_url_unless_a_value_is_the_url() {
        assertThat(url("http://h/s?q=${/title}&n=${/n}")).isEqualTo("http://h/s?q=A%20%26%20B&n=7");
        assertThat(url("${/site}&t=${/title}")).isEqualTo("http://a/b?c=d&t=A%20%26%20B");
    }

    @Test
    void a_placeholder_that_stands_alone_keeps_its_type() {
        JsonTemplate template = JsonTemplate.of(
                JsonValue.parse(
                        "{\"n\":\"${/n}\",\"t\":\"${/tags}\",\"no\":\"${/none}\",\"s\":\"n=${/n}\",\"l\":[1,\"${id}\"]}"),
                Map.of());

        assertThat(template.render(SCOPE))
                .hasToString("{\"n\":7,\"t\":[\"x\"],\"no\":null,\"s\":\"n=7\",\"l\":[1,\"s-42\"]}");
    }

    @Test
    void malformed_placeholders_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> render("a ${/b"))
                .withMessage("must close each ${ with }, got 'a ${/b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> render("${title}"))
                .withMessageContaining("must be a JSON pointer such as ${/title}")
                .withMessageEndingWith("got '${title}'");
    }

    private static String render(String text) {
        return Template.parse(text, Map.of()).render(SCOPE);
    }

    private static String url(String text) {
        return Template.parse(text, Map.of()).renderUrl(SCOPE);
    }
}
