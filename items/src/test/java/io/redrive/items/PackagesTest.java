package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of this module use each other along these arrows only, without a cycle. */
final class PackagesTest {

    private static final String ROOT = "io.redrive.items";

    private static final Map<String, Set<String>> ARROWS = Map.of(
            ROOT,
            Set.of(ROOT + ".store"),
            ROOT + ".run",
            Set.of(ROOT, ROOT + ".store"),
            ROOT + ".store",
            Set.of(),
            ROOT + ".report",
            Set.of(ROOT + ".store"));

    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([a-z.]+);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(io\\.redrive\\.items[a-z.]*)\\.[A-Z]");
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public (?:final |sealed |abstract )*(?:class|interface|record|enum) (\\w+)");

    @Test
    void packages_use_each_other_along_the_arrows_only() throws IOException {
        Set<String> found = new TreeSet<>();
        for (String source : sources()) {
            String own = packageOf(source);
            IMPORT.matcher(source)
                    .results()
                    .map(used -> used.group(1))
                    .filter(used -> !used.equals(own)
                            && !ARROWS.getOrDefault(own, Set.of()).contains(used))
                    .forEach(used -> found.add(own + " -> " + used));
        }

        assertThat(found).isEmpty();
    }

    @Test
    void run_is_the_only_public_type_of_the_engine() throws IOException {
        Set<String> types = sources().stream()
                .filter(source -> packageOf(source).equals(ROOT + ".run"))
                .flatMap(source -> PUBLIC_TYPE.matcher(source).results().map(type -> type.group(1)))
                .collect(Collectors.toSet());

        assertThat(types).containsExactly("Run");
    }

    private static Set<String> sources() throws IOException {
        Set<String> sources = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(Files.readString(file));
            }
        }
        assertThat(sources).hasSizeGreaterThan(80);
        return sources;
    }

    private static String packageOf(String source) {
        return PACKAGE.matcher(source)
                .results()
                .map(name -> name.group(1))
                .findFirst()
                .orElseThrow();
    }
}
