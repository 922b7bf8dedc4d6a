package io.redrive.cli;

import java.nio.file.Path;
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
}
