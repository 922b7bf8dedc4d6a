package io.redrive.pipelinefiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pipeline files shown in the guide can be read. */
final class GuidePipelinesTest {

    private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");

    @TempDir
    private Path folder;

    @Test
    void every_pipeline_of_the_guide_is_read() throws IOException {
        Path python = Files.writeString(folder.resolve("python3"), "");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        List<String> stages = new ArrayList<>();

        Matcher blocks = YAML.matcher(Files.readString(Path.of("..", "docs", "guide", "command-line-runs.md")));
        while (blocks.find()) {
            Path file = Files.writeString(folder.resolve("guide.yml"), blocks.group(1));
            Map<String, String> environment = Map.of("PATH", folder.toString(), "API_KEY", "s3cret");
            stages.addAll(PipelineFile.read(file, new RunContext(environment, Time.system(), new StopSignal()))
                    .pipeline()
                    .stageNames());
        }

        assertThat(stages).containsExactly("english", "summarize", "embed", "answer", "score", "worthwhile");
    }
}
