package io.redrive.testkit.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.items.JsonLines;
import io.redrive.items.Result;
import io.redrive.items.Sink;
import io.redrive.testkit.PowerLossFileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of results keeps every byte up to a position given out, also after a power loss. */
final class JsonLinesSinkPowerLossTest {

    @TempDir
    private Path folder;

    private PowerLossFileSystem files;

    @BeforeEach
    void watch() {
        files = new PowerLossFileSystem(folder);
    }

    @Test
    void a_new_file_is_there_once_its_first_position_is_known() throws Exception {
        try (Sink<String> sink = JsonLines.sink(files.path("out.jsonl"))) {
            sink.open(Optional.empty());
        }
        files.losePower();

        assertThat(folder.resolve("out.jsonl")).isEmptyFile();
    }

    @Test
    void results_are_in_the_file_once_their_position_is_known() throws Exception {
        String position;
        try (Sink<String> sink = JsonLines.sink(files.path("out.jsonl"))) {
            sink.open(Optional.empty());
            sink.write(List.of(new Result<>("run-1", 0, "s0", "first")));
            position = sink.write(List.of(new Result<>("run-1", 1, "s1", "second")));
        }
        files.losePower();

        assertThat(folder.resolve("out.jsonl")).hasContent("first\nsecond\n");
        assertThat(Long.parseLong(position)).isEqualTo(Files.size(folder.resolve("out.jsonl")));
    }

    @Test
    void results_that_were_cut_off_do_not_come_back() throws Exception {
        Files.writeString(folder.resolve("out.jsonl"), "first\nnever committed\n");
        files = new PowerLossFileSystem(folder);
        try (Sink<String> sink = JsonLines.sink(files.path("out.jsonl"))) {
            sink.open(Optional.of("6"));
        }
        files.losePower();

        assertThat(folder.resolve("out.jsonl")).hasContent("first\n");
    }
}
