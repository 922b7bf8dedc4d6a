package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.redrive.events.LetterFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteJDBCLoader;

/** The native library in processes that open their first store. */
final class SqliteLibraryIT {

    @TempDir
    private Path dir;

    private Path temporary;

    @BeforeEach
    void makeFolder() throws IOException {
        temporary = Files.createDirectory(dir.resolve("tmp"));
    }

    @Test
    void a_process_loads_the_unpacked_library_and_leaves_no_file() throws Exception {
        assumeThat(SqliteLibrary.resource()).isPresent();
        assertThat(libraryOfProcess()).startsWith(temporary + "/redrive-sqlite-");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void a_process_loads_the_library_that_the_application_names() throws Exception {
        Optional<String> resource = SqliteLibrary.resource();
        assumeThat(resource).isPresent();
        Path named = SqliteLibrary.unpack(resource.get(), dir).orElseThrow();
        assertThat(libraryOfProcess("-D" + SqliteLibrary.FOLDER + "=" + named)).startsWith(named + "/");
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void the_driver_unpacks_when_the_library_cannot_be_loaded_from_the_folder() throws Exception {
        assumeThat(SqliteLibrary.resource()).isPresent();
        assertThat(libraryOfProcess("-D" + SqliteLibrary.FOLDER + "=" + dir)).startsWith(temporary + "/sqlite-");
    }

    @Test
    void the_folder_of_the_library_is_closed_to_other_users() throws IOException {
        Optional<String> resource = SqliteLibrary.resource();
        assumeThat(resource).isPresent();
        Path folder = SqliteLibrary.unpack(resource.get(), dir).orElseThrow();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (var original = SQLiteJDBCLoader.class.getResourceAsStream(resource.get())) {
            assertThat(folder.resolve("libsqlitejdbc.so")).hasBinaryContent(original.readAllBytes());
        }
    }

    @Test
    void a_library_that_the_driver_lacks_is_left_to_the_driver() throws IOException {
        assertThat(SqliteLibrary.unpack("/org/sqlite/native/Linux/abacus/libsqlitejdbc.so", temporary))
                .isEmpty();
        assertThat(temporary).isEmptyDirectory();
    }

    private String libraryOfProcess(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(options));
        command.addAll(List.of(
                SqliteLibraryIT.class.getName(), dir.resolve("events.db").toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.strip();
    }

    /** Opens and uses a store, and prints the path of the library that is mapped. */
    public static void main(String[] args) throws IOException {
        try (SqliteStore store = SqliteStore.open(Path.of(args[0]))) {
            store.deadLetters().count(LetterFilter.ALL);
            Files.readAllLines(Path.of("/proc/self/maps")).stream()
                    .filter(line -> line.contains("libsqlitejdbc.so"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst()
                    .ifPresent(System.out::println);
        }
    }
}
