package io.redrive.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar, used wrongly: each refusal is one line with subject, value and remedy, and its exit code. */
final class ServerJarIT {

    private static final long LIMIT = 180;

    @TempDir
    Path folder;

    private record Ran(int code, String output) {}

    private Ran serve(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Path.of("target", "redrive-server.jar").toAbsolutePath().toString(),
                "serve"));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("REDRIVE_"));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT, TimeUnit.SECONDS))
                    .as("the process ends: %s", List.of(arguments))
                    .isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        return new Ran(process.exitValue(), Files.readString(output));
    }

    private static void isRefused(Ran ran, int code, String... words) {
        assertThat(ran.output()).contains(words).doesNotContain("\tat ", "Exception");
        assertThat(ran.code()).as(ran.output()).isEqualTo(code);
    }

    private String store(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void wrong_arguments_are_named_with_the_way_to_help() throws Exception {
        isRefused(serve("--prot", "1"), 2, "--prot", "--help");
        isRefused(serve("--admin", "--admin"), 2, "--admin", "only once", "--help");
    }

    @Test
    void an_invalid_file_is_named_with_its_line() throws Exception {
        Path file = Files.writeString(folder.resolve("bad.yml"), "http:\n  port: [");
        isRefused(serve("--config", file.toString()), 2, "bad.yml:2", "not valid YAML");
    }

    @Test
    void a_missing_key_file_is_wrong_input_and_says_how_to_make_a_key() throws Exception {
        Path file = Files.writeString(folder.resolve("key.yml"), """
                webhooks: {secrets-key-file: /nowhere/key}
                routes: {a: {events: "order.*", url: "https://example.com/"}}
                """);
        isRefused(
                serve("--config", file.toString(), "--port", "0", "--store", store("key.db")),
                2,
                "webhooks.secrets-key-file",
                "/nowhere/key",
                "openssl rand");
    }

    @Test
    void an_occupied_port_is_named_with_the_way_out() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = String.valueOf(taken.getLocalPort());
            isRefused(serve("--port", port, "--store", store("port.db")), 1, "port " + port + " is in use", "--port");
        }
    }

    @Test
    void a_store_of_a_newer_version_is_left_alone() throws Exception {
        SqliteStore.open(folder.resolve("newer.db")).close();
        makeNewer(folder.resolve("newer.db"));
        isRefused(serve("--port", "0", "--store", store("newer.db")), 1, "newer.db", "newer Redrive", "upgrade");
    }

    private static void makeNewer(Path file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("""
                    INSERT INTO redrive_schema
                    SELECT 9999, '9999', description, type, script, checksum, installed_by, installed_on, execution_time, success
                    FROM redrive_schema WHERE version IS NOT NULL LIMIT 1
                    """);
        }
    }
}
