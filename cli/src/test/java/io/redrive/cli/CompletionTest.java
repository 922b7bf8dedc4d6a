package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompletionTest {

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void every_shell_is_told_commands_and_options(String shell) {
        Ran ran = Ran.redrive("completion", shell);

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("groups", "actions", "fingerprint", "stage-limit", "runs");
    }

    @Test
    void bash_loads_the_script_and_completes_commands(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(
                folder.resolve("complete.sh"),
                Ran.redrive("completion", "bash").out()
                        + "\ncompopt() { :; }\nCOMP_WORDS=(redrive dlq red)\nCOMP_CWORD=2\n_complete_redrive\necho \"reply: ${COMPREPLY[*]}\"\n");
        Process bash = new ProcessBuilder("bash", script.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("reply: redrive");
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void an_unknown_shell_is_wrong_input() {
        Ran ran = Ran.redrive("completion", "tcsh");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("SHELL must be bash, zsh or fish, got 'tcsh'");
    }
}
