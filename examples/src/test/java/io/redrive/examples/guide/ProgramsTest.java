package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Retry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole programs that README and guide show, run the way they tell the reader to: {@code java -cp core Hello.java}. */
final class ProgramsTest {

    @TempDir
    private Path folder;

    @Test
    void the_first_program_runs_as_it_is() throws Exception {
        List<GuidePage.Block> programs = Guide.find().pages().stream()
                .flatMap(page -> page.programs().stream())
                .toList();
        assertThat(programs).extracting(GuidePage.Block::name).containsExactly("Hello");
        assertThat(run(programs.get(0))).endsWith("sunny after 3 attempts\n");
    }

    private String run(GuidePage.Block program) throws Exception {
        Path source = Files.writeString(folder.resolve(program.name() + ".java"), program.text());
        Path core = Path.of(
                Retry.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        core.toString(),
                        source.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
}
