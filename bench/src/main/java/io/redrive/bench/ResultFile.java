package io.redrive.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of a suite in {@code bench/results/<suite>.jsonl} of the checkout: a line for each result. A run replaces the
 * whole file; a run of chosen cases replaces the lines of these cases.
 */
final class ResultFile {

    private ResultFile() {}

    /** The results folder of the checkout in which {@code code}, a jar or class folder, was built. */
    static Path folder(Path code) {
        for (Path at = code.toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("bench/pom.xml"))) {
                return at.resolve("bench/results");
            }
        }
        throw new IllegalStateException(code + " lies in no checkout of Redrive; run ./redrive bench from one");
    }

    static Path write(Path folder, String suite, List<BenchResult> results, RunFacts facts) throws IOException {
        Files.createDirectories(folder);
        return Files.write(
                file(folder, suite), results.stream().map(facts::line).toList());
    }

    /** Writes the results of chosen cases; the lines of all other cases stay. */
    static Path writeCases(Path folder, String suite, List<BenchResult> results, RunFacts facts) throws IOException {
        Path file = file(folder, suite);
        Set<String> measured = results.stream().map(BenchResult::caseName).collect(Collectors.toSet());
        List<String> lines = new ArrayList<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                if (!measured.contains(Json.read(line).get("case"))) {
                    lines.add(line);
                }
            }
        }
        results.stream().map(facts::line).forEach(lines::add);
        Files.createDirectories(folder);
        return Files.write(file, lines);
    }

    private static Path file(Path folder, String suite) {
        return folder.resolve(suite + ".jsonl");
    }
}
