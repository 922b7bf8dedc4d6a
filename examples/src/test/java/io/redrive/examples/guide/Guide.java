package io.redrive.examples.guide;

import io.redrive.examples.figures.BackoffFigures;
import io.redrive.examples.figures.SimulationFigures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The guide on disk: pages, quoted snippets, and images. */
final class Guide {

    private final Path root;

    private Guide(Path root) {
        this.root = root;
    }

    /** Looks upwards from the working directory, which Maven and editors choose differently. */
    static Guide find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("docs/guide"))) {
                return new Guide(at);
            }
        }
        throw new IllegalStateException("no docs/guide above " + Path.of("").toAbsolutePath());
    }

    /** The pages of the guide, and an existing README. */
    List<GuidePage> pages() {
        List<GuidePage> pages = new ArrayList<>();
        for (Path file : files(root.resolve("docs/guide"), ".md")) {
            pages.add(new GuidePage(
                    root.relativize(file).toString().replace('\\', '/'),
                    read(file).lines().toList()));
        }
        if (Files.exists(root.resolve("README.md"))) {
            pages.add(new GuidePage(
                    "README.md", read(root.resolve("README.md")).lines().toList()));
        }
        return pages;
    }

    /** The texts for the pages to quote, by {@code snippet name} and {@code output name}. */
    Map<String, String> sources(Map<String, Supplier<String>> outputs) {
        Map<String, String> sources = new TreeMap<>();
        // Snippets of the console need Spring Security, which only the tests of the console have.
        List<Path> code = new ArrayList<>(files(root.resolve("examples"), ".java"));
        code.addAll(files(root.resolve("console/src/test"), ".java"));
        for (Path file : code) {
            Snippets.in(read(file).lines().toList()).forEach((name, text) -> {
                if (sources.put("snippet " + name, text) != null) {
                    throw new IllegalStateException("two snippets are called '" + name + "'; rename one");
                }
            });
        }
        outputs.forEach((name, text) -> sources.put("output " + name, text.get().stripTrailing()));
        return sources;
    }

    /** The differences between guide and code, each with file, line and remedy. */
    static List<String> differences(List<GuidePage> pages, Map<String, String> sources) {
        List<String> found = new ArrayList<>();
        for (GuidePage page : pages) {
            for (GuidePage.Block block : page.quotes()) {
                String source = sources.get(block.kind() + " " + block.name());
                String at = page.name() + ":" + (block.from() + 1) + " " + block.kind() + " '" + block.name() + "'";
                if (source == null) {
                    found.add(at + " does not exist; known: " + sources.keySet());
                } else if (!source.equals(block.text())) {
                    found.add(at + " differs; bring the guide up to date with -Dredrive.docs=write. Is:\n"
                            + block.text() + "\nshould be:\n" + source);
                }
            }
        }
        return found;
    }

    /** Texts without any page that quotes them. */
    static Set<String> unused(List<GuidePage> pages, Map<String, String> sources) {
        Set<String> unused = new TreeSet<>(sources.keySet());
        for (GuidePage page : pages) {
            page.quotes().forEach(block -> unused.remove(block.kind() + " " + block.name()));
        }
        return unused;
    }

    /** Puts the sources into the pages. */
    void write(Map<String, String> sources) {
        for (GuidePage page : pages()) {
            GuidePage updated = page;
            for (int i = 0; i < page.quotes().size(); i++) {
                GuidePage.Block block = updated.quotes().get(i);
                String source = sources.get(block.kind() + " " + block.name());
                updated = source == null ? updated : updated.with(block, source);
            }
            write(root.resolve(page.name()), String.join("\n", updated.lines()) + "\n");
        }
    }

    /** The figures drawn by the code, by file name. */
    static Map<String, Supplier<String>> figures() {
        return Map.of(
                "backoff-schedules.svg", BackoffFigures::schedules,
                "jitter-bands.svg", BackoffFigures::bands,
                "contention.svg", SimulationFigures::contention,
                "storm.svg", SimulationFigures::storm);
    }

    /** The folder of the repository. */
    Path root() {
        return root;
    }

    /** The committed figures, by file name. */
    Map<String, String> images() {
        Map<String, String> images = new HashMap<>();
        for (Path file : files(root.resolve("docs/guide/img"), ".svg")) {
            images.put(file.getFileName().toString(), read(file));
        }
        return images;
    }

    void writeImage(String name, String svg) {
        write(root.resolve("docs/guide/img").resolve(name), svg);
    }

    private static List<Path> files(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
