package io.redrive.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a policy from a YAML file: a mapping of settings, at the top or further in. */
final class PolicyFile {

    private static final long MAX_BYTES = 1_000_000;

    /** Classes of the user's application, which are not on this command's class path. */
    private static final Set<String> CLASS_NAMES = Set.of("retry-on", "do-not-retry-on");

    private PolicyFile() {}

    static PolicySettings read(Path file, String at) {
        Map<?, ?> found = mapping(parse(file), file + ": the file");
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

    private static Object parse(Path file) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "--file must be at most " + MAX_BYTES + " bytes, " + file + " has " + Files.size(file));
            }
            return new Yaml(new SafeConstructor(options)).load(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("--file must name a file that exists, got '" + file + "'", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("--file must be UTF-8 text, " + file + " is not", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--file must be readable, " + file + " is not: " + e, e);
        } catch (MarkedYAMLException e) {
            throw new IllegalArgumentException(
                    file + ":" + (e.getProblemMark().getLine() + 1) + ": not valid YAML: " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(file + ": not valid YAML: " + e.getMessage(), e);
        }
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
