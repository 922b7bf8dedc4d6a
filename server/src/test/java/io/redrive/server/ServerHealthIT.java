package io.redrive.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;

final class ServerHealthIT {

    @TempDir
    Path folder;

    @Test
    void a_server_on_a_new_file_answers_that_the_server_lives() throws Exception {
        try (var server = SpringApplication.run(
                ServerApplication.class, "--server.port=0", "--redrive.store.path=" + folder.resolve("redrive.db"))) {
            String port = server.getEnvironment().getRequiredProperty("local.server.port");
            var answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health/liveness"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(answer.statusCode()).isIn(200, 401);
        }
    }
}
