package io.redrive.cli;

import io.redrive.cli.stages.YamlFile;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads a policy from a YAML file: a mapping of settings, at the top or further in. */
final class PolicyFile {

    /** Classes of the user's application, which are not on this command's class path. */
    private static final Set<String> CLASS_NAMES = Set.of("retry-on", "do-not-retry-on");

    private PolicyFile() {}

    static PolicySettings read(Path file, String at) {
        Map<?, ?> found = mapping(YamlFile.read(file, "--file", PolicyFile::parse), file + ": the file");
        String prefix = "";
        if (at != null) {
            for (String step : at.split("\\.", -1)) {
                if (!found.containsKey(step)) {
                    throw new IllegalArgumentException("--at: " + file + " has no '" + prefix + step + "'"
                            + (found.isEmpty() ? "" : "; there is " + keys(found, prefix)));
                }
                prefix += step + ".";
                found = mapping(found.get(step), "--at: '" + prefix.substring(0, prefix.length() - 1) + "' in " + file);
            }
        }
        return settings(found, file, prefix);
    }

    private static PolicySettings settings(Map<?, ?> found, Path file, String prefix) {
        PolicySettings settings = new PolicySettings(file.toString(), prefix);
        found.forEach((name, value) -> {
            String key = String.valueOf(name);
            if (value instanceof Map) {
                throw new IllegalArgumentException(file + ": '" + prefix + key
                        + "' is a mapping, not a setting; if the policy is in there, add --at " + prefix + key);
            }
            if (CLASS_NAMES.contains(key)) {
                settings.note(prefix + key + " is not checked here: it names classes of your application");
            } else {
                settings.fromFile(key, text(value));
            }
        });
        return settings;
    }

    private static Object parse(String text) {
        return new Yaml(new SafeConstructor(YamlFile.options())).load(text);
    }

    private static Map<?, ?> mapping(Object value, String what) {
        if (value instanceof Map<?, ?> mapping) {
            return mapping;
        }
        throw new IllegalArgumentException(what + " must be a mapping such as 'max-attempts: 5', got "
                + (value == null ? "nothing" : "'" + value + "'"));
    }

    private static String text(Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(PolicyFile::text).collect(Collectors.joining(","));
        }
        return value == null ? "" : value.toString();
    }

    private static String keys(Map<?, ?> mapping, String prefix) {
        return mapping.keySet().stream().map(key -> prefix + key).collect(Collectors.joining(", "));
    }
}
