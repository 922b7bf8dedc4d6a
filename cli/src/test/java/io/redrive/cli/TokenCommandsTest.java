package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TokenCommandsTest {

    @TempDir
    Path folder;

    private Ran redrive(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--store";
        all[arguments.length + 1] = folder.resolve("events.db").toString();
        return Ran.redrive(all);
    }

    @Test
    void a_token_is_made_listed_and_revoked_without_a_server() {
        Ran made =
                redrive("token", "create", "--create", "--name", "shop", "--role", "publisher", "--names", "order.*");
        String token = made.out().strip();
        String prefix = token.substring(4, 12);

        assertThat(made.code()).as(made.err()).isZero();
        assertThat(token).matches("rdt_[0-9a-f]{8}_[0-9a-f]{64}");
        assertThat(made.err()).contains("shown only once", "redrive token revoke " + prefix);
        assertThat(redrive("token", "list").out())
                .contains(prefix, "shop", "publisher", "order.*", "never")
                .doesNotContain(token);
        assertThat(redrive("token", "revoke", prefix).out()).contains("revoked, a token of shop");
        assertThat(redrive("token", "list").out()).contains("no tokens");
        assertThat(redrive("token", "revoke", prefix).code()).isEqualTo(1);
    }

    @Test
    void wrong_input_makes_no_token() {
        redrive("token", "create", "--create", "--name", "shop", "--role", "admin");

        assertThat(redrive("token", "create", "--name", "x", "--role", "king").err())
                .contains("role must be one of publisher, viewer, assistant, operator, admin");
        assertThat(redrive("token", "create", "--name", "x", "--role", "viewer", "--names", "a.*")
                        .err())
                .contains("only a publisher's token");
        assertThat(redrive("token", "create", "--name", "x", "--role", "viewer", "--lifetime", "soon")
                        .code())
                .isEqualTo(2);
        assertThat(redrive("token", "list", "--json").out().lines()).hasSize(1);
    }

    @Test
    void serve_and_config_outside_a_checkout_name_the_place_to_run_from() {
        assertThat(Ran.redrive("serve", "--port", "1").err()).contains("./redrive serve");
        assertThat(Ran.redrive("config", "check").err()).contains("./redrive config");
    }
}
