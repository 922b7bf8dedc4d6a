package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.jdbc.ConnectionSecrets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://ann:s3cret@db:5432/orders",
                "postgres://ann:s3cret@db/orders?sslmode=require",
                "jdbc:postgresql://ann:s3cret@db/orders",
                "jdbc:postgresql://db/orders?user=ann&password=s3cret",
                "jdbc:postgresql://db/orders?password=s3cret&user=ann",
                "jdbc:postgresql:orders?PassWord=s3cret",
                "jdbc:postgresql://db/orders?user=ann&sslpassword=s3cret",
                "jdbc:postgresql://db/orders?options=s3cret",
                "postgresql://ann:s3cret%40x@db/orders",
                "postgresql://ann:p@s3cret@db/orders",
                "postgresql://ann:p/s3cret@db/orders",
                "jdbc:mysql://db/orders?user=ann&password=s3cret",
                "https://ann:s3cret@example.org/x?token=s3cret",
            })
    void no_form_of_url_shows_a_password(String url) {
        assertThat(ConnectionSecrets.hidden(url)).doesNotContain("s3cret").contains("***");
        assertThat(ConnectionSecrets.hidden("could not open '" + url + "': refused"))
                .doesNotContain("s3cret")
                .endsWith("refused");
        Ran opened = Ran.redrive(
                "stats", "--store", url.replace("@db", "@db.invalid").replace("//db", "//db.invalid"));
        assertThat(opened.code()).isNotZero();
        assertThat(opened.out() + opened.err()).doesNotContain("s3cret");
    }

    @Test
    void parts_of_a_url_that_are_no_secret_stay() {
        String url = "jdbc:postgresql://db/orders?user=ann&sslmode=require&currentSchema=redrive";
        assertThat(ConnectionSecrets.hidden(url)).isEqualTo(url);
        assertThat(ConnectionSecrets.hidden("orders.db")).isEqualTo("orders.db");
        assertThat(ConnectionSecrets.hidden("mail to ann@example.org")).isEqualTo("mail to ann@example.org");
    }

    @Test
    void a_hint_repeats_the_store_without_the_password() {
        LetterDesk desk = new LetterDesk().address("jdbc:postgresql://db/orders?user=ann&password=s3cret");
        desk.dead("order.paid");

        assertThat(desk.run("stats").out())
                .contains("see: redrive dlq groups --store 'jdbc:postgresql://db/orders?user=ann&password=***'");
        assertThat(desk.run("dlq show 99").err()).doesNotContain("s3cret").contains("redrive dlq actions --store ");
    }

    @Test
    void a_hint_works_as_printed_when_the_store_came_from_the_environment() {
        String url = "jdbc:postgresql://ann:s3cret@db/orders";
        LetterDesk desk = new LetterDesk().environment(Map.of("REDRIVE_STORE", url));
        desk.dead("order.paid");

        assertThat(desk.run("stats").out())
                .contains("see: redrive dlq groups\n")
                .doesNotContain("--store");
        assertThat(desk.run("dlq show 99").err()).contains("see: redrive dlq actions\n");
    }

    @Test
    void a_command_without_a_store_explains_how_to_name_a_store() {
        Ran ran = new LetterDesk().environment(Map.of()).run("dlq list");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("which store?", "--store FILE", "REDRIVE_STORE");
    }
}
