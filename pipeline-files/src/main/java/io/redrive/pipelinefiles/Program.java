package io.redrive.pipelinefiles;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A program and its arguments, run in the folder of the pipeline file.
 *
 * @param words the program, followed by the arguments
 * @param folder the working folder
 */
record Program(List<Template> words, Path folder) {

    /** Starts the program for a sample. */
    Process start(String stage, Scope scope) throws IOException {
        List<String> command = new ArrayList<>();
        words.forEach(word -> command.add(word.render(scope)));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("REDRIVE_RUN", scope.context().run());
        environment.put("REDRIVE_STAGE", stage);
        return builder.start();
    }

    /** Refuses a program that cannot be found or executed, so that the mistake shows before the run. */
    void check(String searchPath) {
        Template first = words.get(0);
        if (first.isFixed() && !exists(first.start(), searchPath)) {
            String where = first.start().contains("/") ? "in " + folder : "on the PATH";
            throw new IllegalArgumentException(
                    "must name a program that can be run, got '" + first.start() + "', which is not " + where);
        }
    }

    private boolean exists(String program, String searchPath) {
        if (program.contains("/") || program.contains(File.separator)) {
            return Files.isExecutable(folder.resolve(program));
        }
        for (String place : searchPath.split(Pattern.quote(File.pathSeparator))) {
            Path file = Path.of(place).resolve(program);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the name of the program for messages. */
    String shown() {
        return words.get(0).toString();
    }
}
