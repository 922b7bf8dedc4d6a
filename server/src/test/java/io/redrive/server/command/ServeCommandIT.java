package io.redrive.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.server.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the server's jar, used wrongly. */
final class ServeCommandIT {

    @TempDir
    Path folder;

    private record Ran(int code, String out, String err) {}

    private static Ran run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = RedriveServer.commandLine(Map.of())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Ran(code, out.toString(), err.toString());
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("redrive.yml"), yaml).toString();
    }

    @Test
    void a_second_server_on_one_port_is_refused_with_a_remedy_and_the_first_goes_on() {
        try (TestServer first = TestServer.start(folder, "")) {
            Ran second = run(
                    "serve",
                    "--port",
                    String.valueOf(first.port()),
                    "--store",
                    folder.resolve("events.db").toString());

            assertThat(second.code()).isEqualTo(1);
            assertThat(second.err())
                    .contains("port " + first.port() + " is in use", "--port")
                    .doesNotContain("\tat ");
            assertThat(first.get("/health/ready").status()).isEqualTo(200);
        }
    }

    @Test
    void a_folder_as_store_is_refused_in_one_line() {
        Ran ran = run("serve", "--port", "0", "--store", folder.toString());

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains(folder.toString()).doesNotContain("\tat ");
    }

    @Test
    void wrong_configurations_start_nothing() throws IOException {
        assertThat(run("serve", "--config", file("http: {prot: 1}")))
                .returns(2, Ran::code)
                .satisfies(ran -> assertThat(ran.err()).contains("redrive.yml:1", "did you mean 'port'?"));
        assertThat(run("serve", "--address", "0.0.0.0", "--config", file("")))
                .returns(2, Ran::code)
                .satisfies(ran -> assertThat(ran.err()).contains("http.address", "auth.users"));
        assertThat(run("serve", "--config", folder.toString()).code()).isEqualTo(2);
        assertThat(run("serve", "--port", "x", "--config", file("")).code()).isEqualTo(2);
    }

    @Test
    void a_configuration_is_checked_and_shown() throws IOException {
        String file = file("http: {port: 9000}\nstore: {url: 'jdbc:postgresql://h/d?user=u&password=hunter2'}\n");

        assertThat(run("config", "check", "--config", file))
                .returns(0, Ran::code)
                .satisfies(ran -> assertThat(ran.out()).contains("valid"));
        assertThat(run("config", "show", "--config", file).out())
                .contains("http.port = 9000   # redrive.yml:1")
                .doesNotContain("hunter2")
                .doesNotContain("# default");
        assertThat(run("config", "show", "--effective", "--config", file).out())
                .contains("limits.page = 1000   # default");
        assertThat(run("config").code()).isEqualTo(2);
        assertThat(run().code()).isEqualTo(2);
    }
}
