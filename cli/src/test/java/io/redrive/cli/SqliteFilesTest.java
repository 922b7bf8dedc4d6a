package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on real files. */
final class SqliteFilesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"stats", "dlq list", "dlq show 1", "dlq redrive --all", "publish --name order.paid --source shop"
            })
    void a_missing_store_is_a_failure_and_is_not_created(String command) {
        Path file = folder.resolve("typo.db");

        Ran ran = run(command, file);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("there is no store at " + file);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_file_that_is_no_database_is_left_alone() throws Exception {
        Path file = Files.writeString(folder.resolve("notes.txt"), "buy milk");

        Ran ran = run("dlq list", file);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("notes.txt, which is another kind of file");
        assertThat(file).hasContent("buy milk");
        assertThat(folder).isDirectoryContaining(path -> path.equals(file));
    }

    @Test
    void a_database_without_tables_of_redrive_is_refused() throws Exception {
        Path file = folder.resolve("other.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("create table recipe (name text)");
        }

        Ran ran = run("dlq list", file);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).startsWith("redrive dlq list: store " + file).contains("is it a Redrive store?");
        assertThat(ran.err().lines()).hasSize(1);
    }

    @Test
    void an_event_that_one_command_published_is_listed_by_the_next_command() {
        Path file = folder.resolve("new.db");

        Ran published = run("publish --create --name order.paid --source shop --id e-1 --text hello", file);
        Ran again = run("publish --name order.paid --source shop --id e-1 --text hello", file);

        assertThat(published.err()).isEmpty();
        assertThat(published.out()).startsWith("e-1  accepted");
        assertThat(again.out()).startsWith("e-1  duplicate");
        assertThat(run("stats --json", file).out()).startsWith("{\"ready\":1,\"delayed\":0,\"claimed\":0,\"dead\":0,");
    }

    private static Ran run(String command, Path file) {
        List<String> args = new ArrayList<>(List.of(command.split(" ")));
        args.addAll(List.of("--store", file.toString()));
        return Ran.redrive(Time.system(), args.toArray(String[]::new));
    }
}
