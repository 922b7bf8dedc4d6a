package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.redrive.items.Item;
import io.redrive.items.SampleSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples of input files in each format. */
final class InputsTest {

    private static final String LINES = "{\"a\":\"1\"}\n{\"a\":\"2\"}\n";
    private static final String ARRAY = "[{\"a\":\"1\"},\n  {\"a\":\n \"2\"}]\n";
    private static final String CSV = "a\n1\n2\n";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {LINES, ARRAY, CSV, "\uFEFF" + LINES, "\uFEFF" + ARRAY, "\uFEFF" + CSV})
    void lines_arrays_and_csv_give_the_same_samples_plain_or_packed_under_any_name(String content) throws Exception {
        byte[] plain = content.getBytes(StandardCharsets.UTF_8);
        for (byte[] bytes : List.of(plain, gzip(plain), Zstd.compress(plain))) {
            SampleSource<String> source = source(bytes);

            assertThat(values(read(source))).containsExactly("{\"a\":\"1\"}", "{\"a\":\"2\"}");
            assertThat(source.size()).hasValue(2);
        }
    }

    @Test
    void consecutive_members_and_frames_are_one_input() throws Exception {
        byte[] one = "{\"a\":\"1\"}\n".getBytes(StandardCharsets.UTF_8);
        byte[] two = "{\"a\":\"2\"}\n".getBytes(StandardCharsets.UTF_8);

        assertThat(values(read(source(joined(gzip(one), gzip(two)))))).hasSize(2);
        assertThat(values(read(source(joined(Zstd.compress(one), Zstd.compress(two))))))
                .hasSize(2);
    }

    @Test
    void a_truncated_file_is_noticed() throws Exception {
        byte[] packed = gzip(LINES.repeat(1_000).getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> read(source(Arrays.copyOf(packed, packed.length - 12))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Unexpected end of ZLIB input stream");
    }

    @Test
    void csv_is_read_as_rfc_4180_has_it() throws Exception {
        assertThat(read(source("id,\"the text\"\r\n7,\"say \"\"hi\"\",\r\nthere\"\r\n\r\n8,\r\n\"9\",é 🙂")))
                .containsExactly(
                        Item.of("2", "{\"id\":\"7\",\"the text\":\"say \\\"hi\\\",\\u000d\\nthere\"}"),
                        Item.of("5", "{\"id\":\"8\",\"the text\":\"\"}"),
                        Item.of("6", "{\"id\":\"9\",\"the text\":\"é 🙂\"}"));
    }

    @Test
    void csv_may_be_separated_by_semicolons_or_tabs() throws Exception {
        assertThat(values(read(source("a;b\n1,5;2\n")))).containsExactly("{\"a\":\"1,5\",\"b\":\"2\"}");
        assertThat(values(read(source("a\tb\n1\t2\n")))).containsExactly("{\"a\":\"1\",\"b\":\"2\"}");
        assertThat(values(read(source("\"a;b\",c\n1,2\n")))).containsExactly("{\"a;b\":\"1\",\"c\":\"2\"}");
    }

    @Test
    void a_bad_row_is_a_bad_sample_and_the_next_row_is_read() throws Exception {
        assertThat(read(source("a,b\n1\n1,2,3\n\"x\"y,2\n1,2\n\"never closed,1\n3,4\n")))
                .containsExactly(
                        Item.bad("2", "malformed_csv", "line 2 must have 2 values, as the header has, got 1"),
                        Item.bad("3", "malformed_csv", "line 3 must have 2 values, as the header has, got 3"),
                        Item.bad(
                                "4",
                                "malformed_csv",
                                "line 4 has text behind a closing quote; a quote within quotes is doubled"),
                        Item.of("5", "{\"a\":\"1\",\"b\":\"2\"}"),
                        Item.bad("6", "malformed_csv", "line 6 has a quote that is never closed"));
    }

    @Test
    void a_row_takes_no_more_memory_than_the_limit() throws Exception {
        assertThat(read(source("max-payload: 30B\n", ("a,b\n1," + "x".repeat(99) + "\n1,2\n").getBytes())))
                .containsExactly(
                        Item.bad("2", "line_too_long", "line 2 has 102 bytes, the limit is 30"),
                        Item.of("3", "{\"a\":\"1\",\"b\":\"2\"}"));
    }

    @Test
    void a_header_that_names_no_column_or_one_twice_is_refused() throws Exception {
        refused("a,,c\n1,2,3\n", "line 1: column 2 of the CSV header must have a name, got none");
        refused("a,b,\n1,2,3\n", "line 1: column 3 of the CSV header must have a name, got none");
        refused(
                "\na,b,a\n1,2,3\n",
                "line 2: column 3 of the CSV header must have a name of its own, got 'a', which is" + " column 1 too");
    }

    @Test
    void a_header_alone_and_an_empty_file_have_no_samples() throws Exception {
        for (String content : List.of("a,b\n", "", "\n\n", "[]", " [ ] ")) {
            assertThat(read(source(content))).as(content).isEmpty();
        }
    }

    @Test
    void brackets_and_quotes_in_strings_do_not_separate_elements() throws Exception {
        assertThat(values(read(source("[ \"a,]\\\"[\", [1,[2]], {\"x\":\"}\\\\\"},1.50 , null]"))))
                .containsExactly("\"a,]\\\"[\"", "[1,[2]]", "{\"x\":\"}\\\\\"}", "1.50", "null");
    }

    @Test
    void a_mistake_in_an_array_is_a_bad_sample() throws Exception {
        assertThat(read(source("[1,,{\"a\":},2")))
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo(Item.of("1", "1")),
                        two -> assertThat(two).asString().contains("malformed_json", "element 2 is not JSON"),
                        three -> assertThat(three).asString().contains("malformed_json", "element 3 is not JSON"),
                        four -> assertThat(four).asString().contains("element 4: the array must end with ']'"));
        assertThat(read(source("[1] ,2]")).get(1)).asString().contains("and more text follows");
        assertThat(read(source("max-payload: 20B\n", "[1,\"0123456789012345678901234\",2]".getBytes())))
                .contains(Item.bad("2", "line_too_long", "element 2 has 27 bytes, the limit is 20"), Item.of("3", "2"));
    }

    @Test
    void lines_of_arrays_and_lines_of_texts_stay_lines() throws Exception {
        assertThat(values(read(source("[1,2]\n[3]\n")))).containsExactly("[1,2]", "[3]");
        assertThat(values(read(source("\"id\"\n\"b\"\n")))).containsExactly("\"id\"", "\"b\"");
        assertThat(read(source("oops, broken\n{\"a\":1}\n")).get(0)).asString().contains("malformed_json");
        assertThat(values(read(source("format: jsonl\n", "[1,2]".getBytes())))).containsExactly("[1,2]");
        assertThat(values(read(source("format: csv\n", "\"id\"\n\"b\"\n".getBytes()))))
                .containsExactly("{\"id\":\"b\"}");
    }

    @Test
    void other_formats_are_refused_with_the_command_that_converts_them() throws Exception {
        refused(
                "PAR1\u0015\u0000",
                "duckdb -c \"COPY (SELECT * FROM read_parquet('in.any')) TO 'in.any.jsonl' (FORMAT json)\"");
        refused("PK\u0003\u0004", "a zip archive or a spreadsheet");
        refused("BZh91AY", "bunzip2 -k in.any");
        Files.write(folder.resolve("in.any"), "a,b\n".getBytes(StandardCharsets.UTF_16));
        assertThatThrownBy(() -> plan("").check(folder.resolve("in.any")))
                .hasMessageContaining("iconv -f UTF-16 -t UTF-8 in.any");
    }

    @Test
    void a_selection_is_repeatable_and_depends_on_the_seed() throws Exception {
        SampleSource<String> all = source("{\"a\":1}\n".repeat(2_000));
        Selection tenth = new Selection(0, 0.1, 0);

        List<Item<String>> drawn = read(tenth.of(all));

        assertThat(drawn).hasSizeBetween(140, 260).isEqualTo(read(tenth.of(all)));
        assertThat(read(new Selection(0, 0.1, 7).of(all)))
                .hasSizeBetween(140, 260)
                .isNotEqualTo(drawn);
        assertThat(read(new Selection(5, 0.1, 0).of(all))).isEqualTo(drawn.subList(0, 5));
        assertThat(new Selection(5, 0.1, 0).of(all).size()).hasValue(5);
        assertThat(new Selection(3_000, 1, 0).of(all).size()).hasValue(2_000);
    }

    private void refused(String content, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("in.any"), content);
        assertThatThrownBy(() -> plan("").check(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    private SampleSource<String> source(String content) throws IOException {
        return source(content.getBytes(StandardCharsets.UTF_8));
    }

    private SampleSource<String> source(byte[] content) throws IOException {
        return source("", content);
    }

    private SampleSource<String> source(String settings, byte[] content) throws IOException {
        PipelinePlan plan = plan(settings);
        Path file = Files.write(folder.resolve("in.any"), content);
        plan.check(file);
        return plan.source(file);
    }

    private PipelinePlan plan(String settings) throws IOException {
        return new Plant(folder).plan(settings + "stages:\n  - filter: all\n    where: / missing\n");
    }

    private static List<Item<String>> read(SampleSource<String> source) throws Exception {
        List<Item<String>> items = new ArrayList<>();
        try (SampleSource.Cursor<String> cursor = source.open()) {
            for (Optional<Item<String>> next = cursor.next(); next.isPresent(); next = cursor.next()) {
                items.add(next.get());
            }
        }
        return items;
    }

    private static List<String> values(List<Item<String>> items) {
        return items.stream()
                .map(item -> item instanceof Item.Good<String> good ? good.value() : item.toString())
                .toList();
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] joined(byte[] one, byte[] two) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(one);
        both.writeBytes(two);
        return both.toByteArray();
    }
}
