package io.redrive.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** How a report is wanted. */
final class RunReporting {

    @Option(names = "--json", description = "The report as one JSON object.")
    boolean json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "The report as a page with plots too, for a browser; needs nothing but the file.")
    Path html;

    /** Refuses a page that cannot be written, or that would replace one of the run's files: before hours of work. */
    void check(List<Path> ofRun) throws IOException {
        if (html == null) {
            return;
        }
        requirePage();
        Path page = html.toAbsolutePath().normalize();
        for (Path file : ofRun) {
            if (page.equals(file) || (Files.exists(page) && Files.exists(file) && Files.isSameFile(page, file))) {
                throw new IllegalArgumentException(
                        "--html must be another file than those of the run, got '" + html + "'");
            }
        }
    }

    private void requirePage() {
        Path folder = html.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException("--html must be in a folder that can be written to, got '" + html + "'");
        }
        if (Files.exists(html) && (!Files.isRegularFile(html) || !Files.isWritable(html))) {
            throw new IllegalArgumentException("--html must be a file that can be written to, got '" + html + "'");
        }
    }
}
