package io.redrive.cli.remote;

import java.util.Optional;

/**
 * What a server tells about itself, beside its store.
 *
 * @param version the version of the server
 * @param configuration the file with the configuration; empty for none
 * @param refusal why the server refused the last change of that file; empty when the file is in force
 */
public record ServerStatus(String version, Optional<String> configuration, Optional<String> refusal) {

    static ServerStatus of(Fields fields) {
        Optional<Fields> configuration = fields.optionalObject("configuration");
        return new ServerStatus(
                fields.text("version"),
                configuration.flatMap(file -> file.optional("file")),
                configuration.flatMap(file -> file.optional("refusal")));
    }
}
