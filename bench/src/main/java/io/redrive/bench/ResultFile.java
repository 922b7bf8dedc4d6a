package io.redrive.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The results of a suite in {@code bench/results/<suite>.jsonl} of the checkout: a line for each result, rewritten by every
 * run.
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

    static Path write(Path folder, String suite, List<BenchResult> results) throws IOException {
        Files.createDirectories(folder);
        return Files.write(
                folder.resolve(suite + ".jsonl"),
                results.stream().map(BenchResult::toJson).toList());
    }
}
