package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An application's connections come back unchanged, to a pool that resets no setting. */
final class PostgresBorrowedConnectionsIT {

    private static final int CONNECTIONS = 3;
    private static final PostgresOptions OPTIONS = PostgresOptions.DEFAULT.withSchema("borrowed");

    private final PostgresServer server = PostgresServer.get();
    private final BlockingDeque<Connection> free = new LinkedBlockingDeque<>();

    @BeforeEach
    void connect() throws SQLException {
        server.execute("DROP SCHEMA IF EXISTS borrowed CASCADE");
        for (int i = 0; i < CONNECTIONS; i++) {
            free.add(DriverManager.getConnection(server.url()));
        }
    }

    @AfterEach
    void disconnect() throws SQLException {
        for (Connection connection : free) {
            connection.close();
        }
    }

    @ParameterizedTest(name = "auto-commit {0}")
    @ValueSource(booleans = {true, false})
    void all_are_back_as_they_were_and_none_listens(boolean autoCommit) throws SQLException {
        for (Connection connection : free) {
            connection.setAutoCommit(autoCommit);
        }
        PostgresStore store = PostgresStore.open(new ForgetfulPool(), OPTIONS);
        AtomicInteger woken = new AtomicInteger();
        store.onPublished(woken::incrementAndGet);
        await().untilAsserted(() -> assertThat(woken).as("listens").hasPositiveValue());
        store.publish(List.of(event()), Instant.now());
        store.claim(new ClaimRequest("node", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), Instant.now()));
        store.deadLetters().list(LetterFilter.ALL, 0, 10);
        server.execute("ALTER TABLE borrowed.events RENAME TO moved");
        assertThatThrownBy(() -> store.publish(List.of(event()), Instant.now())).isInstanceOf(StoreException.class);
        store.close();
        assertThat(free).hasSize(CONNECTIONS);
        for (Connection connection : free) {
            assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
            assertThat(count(connection, "SELECT count(*) FROM pg_listening_channels()"))
                    .as("channels")
                    .isZero();
        }
    }

    private static Event event() {
        return Event.named("order.paid").source("shop").build();
    }

    private static long count(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Gives out the connection that came back last. */
    private final class ForgetfulPool extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = free.pollFirst();
            if (real == null) {
                throw new SQLException("no connection is free", "53300");
            }
            AtomicBoolean isBack = new AtomicBoolean();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            if (isBack.compareAndSet(false, true)) {
                                free.addFirst(real);
                            }
                            return null;
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
