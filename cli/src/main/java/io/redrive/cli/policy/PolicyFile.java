package io.redrive.cli.policy;

import io.redrive.cli.terminal.Printable;
import io.redrive.pipelinefiles.YamlFile;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the settings of a policy from a YAML file: a mapping at the top of the file, or at a path in it. */
final class PolicyFile {

    /** Settings that name classes of the user's application, which are not on the class path of this command. */
    private static final Set<String> CLASS_NAMES = Set.of("retry-on", "do-not-retry-on");

    private PolicyFile() {}

    static PolicySettings read(Path file, @Nullable String at) {
        Map<?, ?> top = mapping(YamlFile.read(file, "--file", PolicyFile::parse), file + ": the file");
        if (at == null) {
            return settings(top, file, "");
        }
        Object found = find(top, at)
                .orElseThrow(
                        () -> new IllegalArgumentException("--at: " + file + " has no '" + at + "'" + near(top, at)));
        return settings(mapping(found, "--at: '" + at + "' in " + file), file, at + ".");
    }

    /** Returns the value at {@code path}. A key may hold dots itself, such as {@code order.*}, or be written in brackets. */
    private static Optional<Object> find(Map<?, ?> mapping, String path) {
        for (Map.Entry<?, ?> entry : mapping.entrySet()) {
            for (String spelled : spellings(entry.getKey())) {
                if (path.equals(spelled)) {
                    return Optional.ofNullable(entry.getValue());
                }
                if (path.startsWith(spelled) && entry.getValue() instanceof Map<?, ?> inner) {
                    String rest = path.substring(spelled.length());
                    Optional<Object> deeper = rest.startsWith(".")
                            ? find(inner, rest.substring(1))
                            : rest.startsWith("[") ? find(inner, rest) : Optional.empty();
                    if (deeper.isPresent()) {
                        return deeper;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> spellings(Object key) {
        return List.of(String.valueOf(key), "[" + key + "]");
    }

    /** Returns the keys beside the missing one, each as a value for {@code --at}. */
    private static String near(Map<?, ?> top, String path) {
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            String parent = path.substring(0, dot);
            if (find(top, parent).orElse(null) instanceof Map<?, ?> inner && !inner.isEmpty()) {
                return "; there is " + keys(inner, parent + ".");
            }
        }
        return top.isEmpty() ? "" : "; there is " + keys(top, "");
    }

    private static PolicySettings settings(Map<?, ?> found, Path file, String prefix) {
        PolicySettings settings = new PolicySettings(file.toString(), prefix);
        found.forEach((name, value) -> {
            String key = String.valueOf(name);
            if (value instanceof Map) {
                throw new IllegalArgumentException(file + ": '" + prefix + key
                        + "' is a mapping, not a setting; if the policy is in there, add --at "
                        + Printable.shellWord(prefix + key));
            }
            if (CLASS_NAMES.contains(key)) {
                settings.note(prefix + key + " is not checked here: it names classes of your application");
            } else {
                settings.fromFile(key, text(value));
            }
        });
        return settings;
    }

    private static @Nullable Object parse(String text) {
        return new Yaml(new SafeConstructor(YamlFile.options())).load(text);
    }

    private static Map<?, ?> mapping(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> mapping) {
            return mapping;
        }
        throw new IllegalArgumentException(what + " must be a mapping such as 'max-attempts: 5', got "
                + (value == null ? "nothing" : "'" + value + "'"));
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(PolicyFile::text).collect(Collectors.joining(","));
        }
        return value == null ? "" : value.toString();
    }

    private static String keys(Map<?, ?> mapping, String prefix) {
        return mapping.keySet().stream().map(key -> prefix + key).collect(Collectors.joining(", "));
    }
}
