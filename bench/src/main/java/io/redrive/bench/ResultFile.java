package io.redrive.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where results are kept: {@code bench/results/<suite>.jsonl} of the checkout, one line for each result, new every run. */
final class ResultFile {

    private ResultFile() {}

    /** The results folder of the checkout that {@code code}, our jar or class folder, was built in. */
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
