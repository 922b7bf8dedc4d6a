package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JSON lines files as source and as sink. */
final class JsonLinesTest {

    @TempDir
    private Path dir;

    @Test
    void every_line_that_is_not_empty_is_a_sample() throws Exception {
        SampleSource<String> source = source("{\"a\":1}\n\n  \r\n{\"b\":2}\r\n{\"c\":3}");

        assertThat(read(source))
                .containsExactly(Item.of("1", "{\"a\":1}"), Item.of("4", "{\"b\":2}"), Item.of("5", "{\"c\":3}"));
        assertThat(source.size()).hasValue(3);
    }

    @Test
    void an_empty_file_has_no_samples() throws Exception {
        assertThat(read(source(""))).isEmpty();
        assertThat(source("").size()).hasValue(0);
        assertThat(source("\n\n").size()).hasValue(0);
    }

    @Test
    void a_byte_order_mark_is_not_part_of_the_first_line() throws Exception {
        SampleSource<String> source = source("\uFEFF{\"a\":1}\n\uFEFF\n");

        assertThat(read(source)).containsExactly(Item.of("1", "{\"a\":1}"), Item.of("2", "\uFEFF"));
        assertThat(source.size()).hasValue(2);
        assertThat(source("\uFEFF\n").size()).hasValue(0);
        assertThat(read(source("\uFEFF"))).isEmpty();
    }

    @Test
    void ids_can_be_taken_from_the_lines() throws Exception {
        Path file = Files.writeString(dir.resolve("in.jsonl"), "x1\nx2\nnone\n");
        SampleSource<String> source = JsonLines.source(file, line -> {
            if (line.equals("none")) {
                throw new IllegalArgumentException("no id in it");
            }
            return "id-" + line;
        });

        assertThat(read(source))
                .containsExactly(
                        Item.of("id-x1", "x1"),
                        Item.of("id-x2", "x2"),
                        Item.bad("3", "no_id", "line 3 gives no id: no id in it"));
    }

    @Test
    void a_line_with_malformed_utf8_or_over_the_limit_is_a_bad_sample() throws Exception {
        Path file = dir.resolve("in.jsonl");
        Files.write(file, new byte[] {'o', 'k', '\n', (byte) 0xC3, (byte) 0x28, '\n'});
        Files.write(file, ("x".repeat(50) + "\nend\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);

        assertThat(read(JsonLines.source(file, 20)))
                .containsExactly(
                        Item.of("1", "ok"),
                        Item.bad("2", "malformed_utf8", "line 2 is no UTF-8"),
                        Item.bad("3", "line_too_long", "line 3 has 50 bytes, the limit is 20"),
                        Item.of("4", "end"));
    }

    @Test
    void uncommitted_lines_are_cut_off_when_the_file_is_opened() throws Exception {
        Path file = dir.resolve("out.jsonl");
        String position;
        try (Sink<String> sink = JsonLines.sink(file)) {
            assertThat(sink.open(Optional.empty())).isEqualTo("0");
            position = sink.write(results("a", "b"));
            sink.write(results("never committed"));
        }
        try (Sink<String> sink = JsonLines.sink(file)) {
            assertThat(sink.open(Optional.of(position))).isEqualTo(position);
            sink.write(results("c"));
        }

        assertThat(file).hasContent("a\nb\nc\n");
    }

    @Test
    void a_packed_output_continues_after_its_last_committed_member() throws Exception {
        Path file = dir.resolve("out.jsonl.gz");
        String position;
        try (Sink<String> sink = JsonLines.sink(file)) {
            sink.open(Optional.empty());
            position = sink.write(results("a", "b"));
        }
        Files.write(file, new byte[] {0x1F, (byte) 0x8B, 8, 0, 0}, StandardOpenOption.APPEND);
        try (Sink<String> sink = JsonLines.sink(file)) {
            assertThat(sink.open(Optional.of(position))).isEqualTo(position);
            sink.write(results("c"));
        }

        assertThat(read(JsonLines.source(() -> new GZIPInputStream(Files.newInputStream(file)), 20)))
                .containsExactly(Item.of("1", "a"), Item.of("2", "b"), Item.of("3", "c"));
    }

    @Test
    void line_breaks_in_a_value_become_spaces() throws Exception {
        Path file = dir.resolve("out.jsonl");
        try (Sink<String> sink = JsonLines.sink(file)) {
            sink.open(Optional.empty());
            sink.write(results("{\n  \"a\": 1\r\n}"));
        }

        assertThat(file).hasContent("{   \"a\": 1  }\n");
    }

    @Test
    void a_run_refuses_to_begin_on_a_file_that_is_not_empty() throws IOException {
        Path file = Files.writeString(dir.resolve("out.jsonl"), "somebody's\n");

        try (JsonLinesSink sink = new JsonLinesSink(file)) {
            assertThatThrownBy(() -> sink.open(Optional.empty()))
                    .hasMessageContaining("must be empty when a run begins, got 11 bytes")
                    .hasMessageContaining("choose another file, or move it away");
        }
        assertThat(file).hasContent("somebody's\n");
    }

    @Test
    void a_run_refuses_to_resume_on_a_file_that_lacks_committed_lines() throws IOException {
        try (JsonLinesSink sink = new JsonLinesSink(dir.resolve("out.jsonl"))) {
            assertThatThrownBy(() -> sink.open(Optional.of("100"))).hasMessageContaining("must have the 100 bytes");
        }
    }

    @Test
    void a_file_has_one_writer_at_a_time() throws Exception {
        Path file = dir.resolve("out.jsonl");
        try (JsonLinesSink first = new JsonLinesSink(file);
                JsonLinesSink second = new JsonLinesSink(file)) {
            first.open(Optional.empty());
            assertThatThrownBy(() -> second.open(Optional.of("0")))
                    .hasMessageContaining("must be written by one process at a time");
        }
    }

    private SampleSource<String> source(String content) throws IOException {
        return JsonLines.source(Files.writeString(dir.resolve("in.jsonl"), content));
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

    private static List<Result<String>> results(String... values) {
        List<Result<String>> results = new ArrayList<>();
        for (String value : values) {
            results.add(new Result<>("r", 0, "id", value));
        }
        return results;
    }
}
