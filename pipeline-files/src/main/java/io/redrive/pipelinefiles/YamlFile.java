package io.redrive.pipelinefiles;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Reads YAML files. */
public final class YamlFile {

    private static final long MAX_BYTES = 1_000_000;

    private YamlFile() {}

    /**
     * Reads the file and returns the result of {@code parser}.
     *
     * @param what names the file in messages, such as {@code --file}
     * @throws IllegalArgumentException when the file cannot be read or is not YAML; the message has file and line
     */
    public static <T> T read(Path file, String what, Function<String, T> parser) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(
                        what + " must be at most " + MAX_BYTES + " bytes, " + file + " has " + Files.size(file));
            }
            return parser.apply(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(what + " must name a file that exists, got '" + file + "'", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(what + " must be UTF-8 text, " + file + " is not", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + " must be readable, " + file + " is not: " + e, e);
        } catch (MarkedYAMLException e) {
            throw new IllegalArgumentException(
                    file + ":" + (e.getProblemMark().getLine() + 1) + ": not valid YAML: " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(file + ": not valid YAML: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the value at the top of the file; empty for a file without any value.
     *
     * @param what names the file in messages, such as {@code --config}
     * @throws IllegalArgumentException when the file cannot be read or is not YAML; the message has file and line
     */
    public static Optional<YamlValue> top(Path file, String what) {
        Node root = read(file, what, text -> new Yaml(options()).compose(new StringReader(text)));
        return Optional.ofNullable(root).map(node -> new YamlValue(file, "", node));
    }

    /** Returns options that refuse duplicate keys, because YAML would ignore all but the last value. */
    public static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return options;
    }
}
