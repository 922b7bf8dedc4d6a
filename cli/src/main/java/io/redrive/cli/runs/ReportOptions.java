package io.redrive.cli.runs;

import io.redrive.cli.command.ConsoleCommand;
import io.redrive.items.report.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say in which form a report is wanted. */
final class ReportOptions {

    @Option(names = "--json", description = "The report as one JSON object.")
    private boolean json;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "The report as a page with plots too, for a browser; needs nothing but the file.")
    private @Nullable Path html;

    boolean json() {
        return json;
    }

    Optional<Path> html() {
        return Optional.ofNullable(html);
    }

    /** Prints the report as text or JSON. */
    void print(RunReport report, ConsoleCommand console) {
        console.say((json ? report.json() : report.text()).stripTrailing());
    }

    /** Writes the page for a browser, if one is wanted. */
    void writePage(RunReport report, ConsoleCommand console) throws IOException {
        if (html != null) {
            Files.writeString(html, report.html());
            console.note("the report as a page: " + html);
        }
    }

    /**
     * Refuses a page that cannot be written, or that would replace one of the run's files, before hours of work.
     *
     * @throws IllegalArgumentException when the page is refused
     */
    void check(List<Path> filesOfRun) throws IOException {
        if (html == null) {
            return;
        }
        requireWritable(html);
        Path page = html.toAbsolutePath().normalize();
        for (Path file : filesOfRun) {
            if (page.equals(file) || (Files.exists(page) && Files.exists(file) && Files.isSameFile(page, file))) {
                throw new IllegalArgumentException(
                        "--html must be another file than those of the run, got '" + html + "'");
            }
        }
    }

    private static void requireWritable(Path page) {
        Path folder = page.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException("--html must be in a folder that can be written to, got '" + page + "'");
        }
        if (Files.exists(page) && (!Files.isRegularFile(page) || !Files.isWritable(page))) {
            throw new IllegalArgumentException("--html must be a file that can be written to, got '" + page + "'");
        }
    }
}
