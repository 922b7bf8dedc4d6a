package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SystemExitTest {

    @TempDir
    private Path dir;

    @Test
    @Timeout(120)
    void an_event_whose_handler_ends_the_process_is_not_given_back_as_merely_interrupted() throws Exception {
        Path report = dir.resolve("report");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExitingProcess.class.getName(),
                        report.toString())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("output").toFile())
                .start();
        assertThat(process.waitFor()).isEqualTo(3);
        // The lease of the exiting event runs out, which counts as a crash; the other event was interrupted.
        assertThat(Files.readString(report)).isEqualTo("claimed 1, ready 1");
    }
}
