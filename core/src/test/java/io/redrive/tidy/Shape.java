package io.redrive.tidy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules about the shape of code: length of methods, names of public types, classes and packages that use each other. */
final class Shape {
    static final int MAX_METHOD_LINES = 50;
    static final int MAX_CYCLE = 3;

    private static final Pattern TYPE_KEYWORD = Pattern.compile("\\b(class|interface|record|enum)\\b");
    private static final Pattern TOP_LEVEL_PUBLIC =
            Pattern.compile("^public\\s+(?:[\\w-]+\\s+)*(?:class|interface|record|enum|@interface)\\s+(\\w+)");
    private static final Pattern PACKAGE = Pattern.compile("^package ([a-z0-9_.]+);");
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?([a-z0-9_.]+)\\.[A-Z]");
    private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w*\\b");

    private Shape() {}

    /** Counts from the line with the opening brace to the line with the closing one. */
    static List<String> longMethods(List<SourceFile> files) {
        List<String> found = new ArrayList<>();
        for (SourceFile file : files) {
            if (file.isMain()) {
                longMethods(file, found);
            }
        }
        return found;
    }

    private record Block(boolean type, boolean method, int line) {}

    private static void longMethods(SourceFile file, List<String> found) {
        Deque<Block> open = new ArrayDeque<>();
        StringBuilder head = new StringBuilder();
        List<String> lines = file.code();
        for (int line = 0; line < lines.size(); line++) {
            for (char c : (lines.get(line) + "\n").toCharArray()) {
                switch (c) {
                    case '{' -> open.push(block(head.toString(), open.peek(), line));
                    case '}' -> tooLong(file, open.isEmpty() ? null : open.pop(), line, found);
                    default -> {
                        if (c != ';') {
                            head.append(c);
                            continue;
                        }
                    }
                }
                head.setLength(0);
            }
        }
    }

    private static Block block(String head, Block parent, int line) {
        boolean type = TYPE_KEYWORD.matcher(head).find();
        boolean method = !type && parent != null && parent.type && head.contains("(") && !head.contains("=");
        return new Block(type, method, line);
    }

    private static void tooLong(SourceFile file, Block block, int line, List<String> found) {
        if (block != null && block.method) {
            int length = line - block.line + 1;
            if (length > MAX_METHOD_LINES) {
                found.add(file.at(
                        block.line,
                        "a method of " + length + " lines, at most " + MAX_METHOD_LINES
                                + "; move its second idea into a method of its own"));
            }
        }
    }

    /** Two public types of one simple name force a user of both to spell one of them out. */
    static List<String> publicNamesUsedTwice(List<SourceFile> files) {
        Map<String, List<String>> places = new TreeMap<>();
        for (SourceFile file : files) {
            if (file.isMain() && !file.isIn(TidyRules.UNPUBLISHED)) {
                for (String line : file.code()) {
                    Matcher type = TOP_LEVEL_PUBLIC.matcher(line);
                    if (type.find()) {
                        places.computeIfAbsent(type.group(1), name -> new ArrayList<>())
                                .add(file.path());
                    }
                }
            }
        }
        return places.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> entry.getValue().get(1) + ":1 public type " + entry.getKey() + " exists in "
                        + entry.getValue().get(0) + " too; rename one of them")
                .toList();
    }

    /** Groups of more than {@link #MAX_CYCLE} files of a package that all reach each other. Comments and imports do not count. */
    static List<String> cycles(List<SourceFile> files, Set<String> tolerated) {
        Map<String, Map<String, SourceFile>> packages = new TreeMap<>();
        for (SourceFile file : files) {
            if (file.isMain() && !file.isIn(TidyRules.UNPUBLISHED)) {
                packages.computeIfAbsent(
                                file.path().substring(0, file.path().lastIndexOf('/')), name -> new TreeMap<>())
                        .put(file.name().replace(".java", ""), file);
            }
        }
        List<String> found = new ArrayList<>();
        packages.forEach((name, types) -> {
            for (Set<String> cycle : new Cycles(uses(types)).largerThan(MAX_CYCLE)) {
                String members = String.join(" ", cycle);
                if (!tolerated.contains(members)) {
                    found.add(name + ": " + cycle.size() + " classes use each other in a circle, at most " + MAX_CYCLE
                            + "; pass a value or a function instead: " + members);
                }
            }
        });
        return found;
    }

    /** Packages that import each other, directly or in a circle: neither can be read, moved or tested without the others. */
    static List<String> packageCycles(List<SourceFile> files) {
        Map<String, Set<String>> imports = new TreeMap<>();
        for (SourceFile file : files) {
            if (file.isMain() && !file.isIn(TidyRules.UNPUBLISHED)) {
                Set<String> used = imports.computeIfAbsent(packageOf(file), name -> new TreeSet<>());
                file.code().forEach(line -> {
                    Matcher imported = IMPORT.matcher(line);
                    if (imported.find()) {
                        used.add(imported.group(1));
                    }
                });
            }
        }
        imports.forEach((name, used) -> {
            used.retainAll(imports.keySet());
            used.remove(name);
        });
        return new Cycles(imports)
                .largerThan(1).stream()
                        .map(cycle -> "packages import each other in a circle; move the types that both need into the"
                                + " package that the other may use: " + String.join(" ", cycle))
                        .toList();
    }

    private static String packageOf(SourceFile file) {
        return file.code().stream()
                .map(PACKAGE::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
    }

    private static Map<String, Set<String>> uses(Map<String, SourceFile> types) {
        Map<String, Set<String>> uses = new TreeMap<>();
        types.forEach((name, file) -> {
            Set<String> used = new LinkedHashSet<>();
            for (String line : file.code()) {
                if (!line.startsWith("import ")) {
                    TYPE_NAME
                            .matcher(line)
                            .results()
                            .map(result -> result.group())
                            .filter(other -> types.containsKey(other) && !other.equals(name))
                            .forEach(used::add);
                }
            }
            uses.put(name, used);
        });
        return uses;
    }

    /** Tarjan's strongly connected components. */
    private static final class Cycles {
        private final Map<String, Set<String>> uses;
        private final Map<String, Integer> index = new HashMap<>();
        private final Map<String, Integer> low = new HashMap<>();
        private final Deque<String> path = new ArrayDeque<>();
        private final List<Set<String>> components = new ArrayList<>();

        Cycles(Map<String, Set<String>> uses) {
            this.uses = uses;
            uses.keySet().forEach(type -> {
                if (!index.containsKey(type)) {
                    visit(type);
                }
            });
        }

        List<Set<String>> largerThan(int size) {
            return components.stream()
                    .filter(component -> component.size() > size)
                    .toList();
        }

        private void visit(String type) {
            index.put(type, index.size());
            low.put(type, index.get(type));
            path.push(type);
            for (String used : uses.get(type)) {
                if (!index.containsKey(used)) {
                    visit(used);
                    low.merge(type, low.get(used), Math::min);
                } else if (path.contains(used)) {
                    low.merge(type, index.get(used), Math::min);
                }
            }
            if (low.get(type).equals(index.get(type))) {
                Set<String> component = new TreeSet<>();
                String member;
                do {
                    member = path.pop();
                    component.add(member);
                } while (!member.equals(type));
                components.add(component);
            }
        }
    }
}
