package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionSecretsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql://ann:secret@host/db               | postgresql://ann:***@host/db
            postgres://ann:se/cr?t@x@host:5432/db         | postgres://ann:***@host:5432/db
            jdbc:postgresql://ann:1234@host/db            | jdbc:postgresql://ann:***@host/db
            jdbc:postgresql:/ann:secret@host/db           | jdbc:postgresql:/ann:***@host/db
            jdbc:postgresql://h/db?user=a&password=s%26t  | jdbc:postgresql://h/db?user=a&password=***
            jdbc:postgresql://h/db?sslpassword=s&ssl=true | jdbc:postgresql://h/db?sslpassword=***&ssl=true
            jdbc:postgresql://h/db?PASSWORD=secret        | jdbc:postgresql://h/db?PASSWORD=***
            no store at postgresql://a:secret@h/db, sorry | no store at postgresql://a:***@h/db, sorry
            from pg://a:one@h/x to pg://b:two@h/y         | from pg://a:***@h/x to pg://b:***@h/y
            """)
    void a_password_is_hidden_wherever_it_stands(String text, String shown) {
        assertThat(ConnectionSecrets.hidden(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://host:5432/db?user=ann@example.com",
                "jdbc:postgresql://one:5432,two:5433/db?user=ann@example.com",
                "jdbc:postgresql://host/db?ApplicationName=shop&sslMode=require",
                "orders.db",
                "C:/data/orders.db",
                "jdbc:sqlite:orders.db"
            })
    void a_text_without_a_password_stays_as_it_is(String text) {
        assertThat(ConnectionSecrets.hidden(text)).isEqualTo(text);
    }
}
