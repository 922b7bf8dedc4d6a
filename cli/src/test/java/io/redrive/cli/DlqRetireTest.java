package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DlqRetireTest {

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    @Test
    void old_letters_leave_for_a_file_that_an_import_reads_again() throws IOException {
        desk.dead("order.paid");
        desk.dead("order.sent");
        desk.time.advance(Duration.ofDays(91));
        desk.dead("order.paid");

        assertThat(desk.run("dlq retire --older-than 90d --dry-run --to " + folder)
                        .out())
                .contains("2 letters would be exported and deleted");
        Ran asked = desk.run("dlq retire --older-than 90d --to " + folder);
        assertThat(asked.code()).isEqualTo(2);
        assertThat(asked.err()).contains("this would export 2 letters", "say --yes");

        Ran ran = desk.run("dlq retire --older-than 90d --yes --to " + folder);
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(desk.letters()).hasSize(1);
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.toList();
        }
        assertThat(files).hasSize(1);
        assertThat(desk.run("dlq actions").out())
                .contains("retire", files.get(0).getFileName().toString());

        assertThat(desk.run("dlq import " + files.get(0)).out()).contains("2 letters imported");
        assertThat(desk.letters()).hasSize(3);
    }

    @Test
    void a_missing_folder_a_short_time_and_a_damaged_file_are_refused() throws IOException {
        desk.dead("order.paid");
        desk.time.advance(Duration.ofDays(91));
        assertThat(desk.run("dlq retire --older-than 90d --yes --to " + folder.resolve("no"))
                        .err())
                .contains("--to must be a folder that exists");
        assertThat(desk.run("dlq retire --older-than 1m --yes --to " + folder).err())
                .contains("--older-than must be at least 1h, got '1m'");
        assertThat(desk.run("dlq retire --older-than -1d --yes --to " + folder).err())
                .contains("--older-than: duration must be a number with a unit", "got '-1d'");
        assertThat(desk.letters()).hasSize(1);
        Path damaged = Files.write(folder.resolve("damaged.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        Ran ran = desk.run("dlq import " + damaged);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("must be a whole gzip file", "nothing was imported");
    }
}
