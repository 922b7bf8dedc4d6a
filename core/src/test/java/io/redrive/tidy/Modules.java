package io.redrive.tidy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The allowed dependencies of modules, and the rules about module poms. */
final class Modules {
    /** The arrows of ARCHITECTURE.md. Dependencies of a named module are allowed too. */
    static final Map<String, Set<String>> ARROWS = Map.ofEntries(
            Map.entry("core", Set.of()),
            Map.entry("events", Set.of("core")),
            Map.entry("items", Set.of("core")),
            Map.entry("pipeline-files", Set.of("items")),
            Map.entry("jdbc", Set.of("events", "items")),
            Map.entry("pipeline", Set.of("events")),
            Map.entry("operations", Set.of("pipeline", "items")),
            Map.entry("micrometer", Set.of("core", "pipeline", "items", "kafka")),
            Map.entry("pekko", Set.of("core", "events")),
            Map.entry("kafka", Set.of("pipeline")),
            Map.entry("spring-boot-starter", Set.of("jdbc", "pipeline", "items", "micrometer", "pekko", "kafka")),
            Map.entry("console", Set.of("operations")),
            Map.entry("server", Set.of("spring-boot-starter", "console", "pipeline-files")),
            Map.entry("cli", Set.of("operations", "jdbc", "pipeline-files", "kafka")),
            Map.entry("testkit", Set.of("events", "items")),
            Map.entry("bom", Set.of()),
            Map.entry("bench", Set.of("server", "cli", "testkit")),
            Map.entry("examples", Set.of("server", "testkit")));

    private static final String PREFIX = "redrive-";

    private Modules() {}

    record Dependency(String artifactId, String scope) {
        boolean isRedrive() {
            return artifactId.startsWith(PREFIX);
        }

        String module() {
            return artifactId.substring(PREFIX.length());
        }
    }

    static List<String> listedIn(SourceFile parentPom) {
        return children(child(root(parentPom), "modules"), "module").stream()
                .map(module -> module.getTextContent().strip())
                .toList();
    }

    /** Everything a pom declares except for tests. */
    static List<Dependency> shipped(SourceFile pom) {
        List<Dependency> shipped = new ArrayList<>();
        for (Element dependency : children(child(root(pom), "dependencies"), "dependency")) {
            String scope = text(dependency, "scope", "compile");
            if (!scope.equals("test")) {
                shipped.add(new Dependency(text(dependency, "artifactId", ""), scope));
            }
        }
        return shipped;
    }

    static List<String> wrongDirections(SourceFile pom) {
        String module = pom.module();
        if (!ARROWS.containsKey(module)) {
            return List.of(pom.path() + ":1 module '" + module + "' has no arrows; add it to Modules.ARROWS");
        }
        Set<String> allowed = reach(module);
        return shipped(pom).stream()
                .filter(dependency -> dependency.isRedrive() && !allowed.contains(dependency.module()))
                .map(dependency -> pom.at(
                        lineOf(pom, "<artifactId>" + dependency.artifactId() + "</artifactId>"),
                        module + " must not depend on " + dependency.module() + "; use only " + new TreeSet<>(allowed)
                                + " or scope test"))
                .toList();
    }

    static List<String> dependenciesOfCore(SourceFile pom) {
        return shipped(pom).stream()
                .map(dependency -> pom.at(
                        lineOf(pom, "<artifactId>" + dependency.artifactId() + "</artifactId>"),
                        "core must not depend on " + dependency.artifactId() + "; use the JDK or scope test"))
                .toList();
    }

    /** A module is named after its folder; a module in the folder of another module after both: examples-actors. */
    static List<String> wrongNames(SourceFile pom) {
        List<String> wrong = new ArrayList<>();
        String name = pom.path().replace("/pom.xml", "").replace('/', '-');
        String artifactId = text(root(pom), "artifactId", "");
        if (!artifactId.equals(PREFIX + name)) {
            wrong.add(pom.at(
                    lineOf(pom, "<artifactId>" + artifactId), "artifactId '" + artifactId + "': use " + PREFIX + name));
        }
        if (text(root(pom), "packaging", "jar").equals("pom")) {
            return wrong;
        }
        Element properties = child(root(pom), "properties");
        String expected = "io.redrive." + name.replace('-', '.');
        String moduleName = properties == null ? "" : text(properties, "java.module.name", "");
        if (!moduleName.equals(expected)) {
            wrong.add(pom.at(
                    lineOf(pom, "<java.module.name>"),
                    "property java.module.name is '" + moduleName + "': use " + expected));
        }
        return wrong;
    }

    static List<String> missingRows(List<String> modules, SourceFile architecture) {
        return modules.stream()
                .filter(module -> {
                    Pattern row = Pattern.compile("^[\\s|`*\\-\\[]*" + Pattern.quote(module) + "/?(?=[\\s`|*\\]])");
                    return architecture.lines().stream()
                            .noneMatch(line -> row.matcher(line).find());
                })
                .map(module -> architecture.path() + ":1 module '" + module + "' has no row; add one that starts with "
                        + module + "/")
                .toList();
    }

    /**
     * Returns artifacts missing in the BOM, and artifacts in the BOM that are not published; a BOM has the version of
     * the parent.
     */
    static List<String> missingInBom(List<SourceFile> poms, SourceFile parent, SourceFile bom) {
        Set<String> published = new TreeSet<>();
        for (SourceFile pom : poms) {
            Element properties = child(root(pom), "properties");
            boolean kept = properties != null
                    && text(properties, "maven.deploy.skip", "false").equals("true");
            if (!kept && !pom.path().equals(bom.path())) {
                published.add(text(root(pom), "artifactId", ""));
            }
        }
        Element managed = child(child(root(bom), "dependencyManagement"), "dependencies");
        Set<String> listed = new TreeSet<>();
        children(managed, "dependency").forEach(dependency -> listed.add(text(dependency, "artifactId", "")));
        List<String> wrong = new ArrayList<>();
        if (!listed.equals(published)) {
            wrong.add(bom.at(0, "the BOM lists " + listed + ": list " + published));
        }
        String version = text(root(parent), "version", "");
        if (!text(root(bom), "version", "").equals(version)) {
            wrong.add(bom.at(lineOf(bom, "<version>"), "the version of the BOM must be the parent's: use " + version));
        }
        return wrong;
    }

    private static Set<String> reach(String module) {
        Set<String> reached = new HashSet<>();
        for (String next : ARROWS.getOrDefault(module, Set.of())) {
            reached.add(next);
            reached.addAll(reach(next));
        }
        return reached;
    }

    private static int lineOf(SourceFile file, String part) {
        List<String> lines = file.lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(part)) {
                return i;
            }
        }
        return 0;
    }

    private static Element root(SourceFile pom) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(pom.text().getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement();
        } catch (Exception e) {
            throw new IllegalArgumentException(pom.path() + " is not a readable pom", e);
        }
    }

    private static Element child(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? null : found.get(0);
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent == null ? null : parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String text(Element parent, String name, String otherwise) {
        Element found = child(parent, name);
        return found == null ? otherwise : found.getTextContent().strip();
    }
}
