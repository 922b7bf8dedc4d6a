package io.redrive.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.server.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every curl example of the guide, in order, and compares the answers with the guide. */
final class GuideCurlIT {

    private static final Pattern BLOCK = Pattern.compile("```(sh|json)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void the_curl_examples_of_the_guide_give_the_answers_of_the_guide() throws Exception {
        String guide = Files.readString(Path.of("../docs/guide/server.md"));
        List<String> ran = new ArrayList<>();
        try (TestServer server = TestServer.start(folder, "")) {
            Matcher block = BLOCK.matcher(guide);
            String answer = "";
            while (block.find()) {
                if (block.group(1).equals("sh") && block.group(2).contains("curl")) {
                    answer = run(block.group(2).replace("http://127.0.0.1:8080", server.url()));
                    ran.add(answer);
                } else if (block.group(1).equals("json")) {
                    assertThat(answer.strip().replaceAll("key-[0-9a-f]{32}", "key-…"))
                            .isEqualTo(block.group(2).strip());
                }
            }
        }
        assertThat(ran)
                .hasSizeGreaterThan(5)
                .allSatisfy(output -> assertThat(output).startsWith("{"));
    }

    private static String run(String commands) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("bash", "-euc", commands)
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return output;
    }
}
