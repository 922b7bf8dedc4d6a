package io.redrive.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The checked-out tree, without the output of builds and editors. */
record Repository(Path root, List<SourceFile> files) {
    private static final Set<String> SKIPPED = Set.of(".git", ".idea", ".vscode", "target", "node_modules", "results");
    private static final Set<String> TEXT = Set.of(
            "java",
            "md",
            "yml",
            "yaml",
            "sql",
            "xml",
            "properties",
            "html",
            "css",
            "js",
            "json",
            "sh",
            "config",
            "jte");

    /** Walks up from the working directory to the parent pom and reads every text file below the pom's folder. */
    static Repository find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path pom = at.resolve("pom.xml");
            if (Files.exists(pom) && read(pom).contains("<packaging>pom</packaging>")) {
                return new Repository(at, textFiles(at));
            }
        }
        throw new IllegalStateException(
                "no parent pom.xml at or above " + Path.of("").toAbsolutePath());
    }

    Optional<SourceFile> file(String path) {
        return files.stream().filter(file -> file.path().equals(path)).findFirst();
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    private static List<SourceFile> textFiles(Path root) {
        List<SourceFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return SKIPPED.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile() && isText(file)) {
                        String path = root.relativize(file).toString().replace('\\', '/');
                        files.add(new SourceFile(path, read(file)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot walk " + root, e);
        }
        files.sort(Comparator.comparing(SourceFile::path));
        return List.copyOf(files);
    }

    /** Files without an ending are scripts (the launcher, .ci/run, hooks). */
    private static boolean isText(Path file) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 || TEXT.contains(name.substring(dot + 1));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + " as UTF-8 text", e);
        }
    }
}
