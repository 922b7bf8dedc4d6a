package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import io.redrive.events.StoreException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Trouble with a server or the network: each time a clear message, and never the password. */
final class PostgresTroubleIT {

    private static final PostgresOptions OPTIONS =
            PostgresOptions.DEFAULT.withSchema("trouble").withConnectTimeout(Duration.ofMillis(500));

    private final PostgresServer server = PostgresServer.get();

    @Test
    void a_server_that_is_not_there_is_named() {
        assertThatThrownBy(() -> PostgresStore.open("jdbc:postgresql://localhost:1/shop?user=clerk&password=secret"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("store localhost:1/shop: the server cannot be reached; look whether it is up")
                .hasMessageNotContainingAny("secret", "clerk");
    }

    @Test
    void a_url_without_the_password_that_the_server_wants_gets_the_remedy() throws IOException {
        try (ServerSocket wantsPassword = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> askForPasswords(wantsPassword));
            server.setDaemon(true);
            server.start();
            String url = "jdbc:postgresql://localhost:" + wantsPassword.getLocalPort()
                    + "/shop?user=clerk&sslmode=disable" + "&gssEncMode=disable";
            assertThatThrownBy(() -> PostgresStore.open(url))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(
                            "/shop: the server wants a password and there is none; add ?user=…&password=… to the URL");
        }
    }

    /** Answers every greeting with the request for a password in clear text. */
    private static void askForPasswords(ServerSocket door) {
        while (!door.isClosed()) {
            try (Socket client = door.accept()) {
                client.getOutputStream().write(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 3});
                client.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The test is over, or the client has closed the connection.
            }
        }
    }

    @Test
    void a_url_with_user_and_password_before_the_host_is_refused_without_showing_them() {
        assertThatThrownBy(() -> PostgresStore.open("jdbc:postgresql://clerk:secret@localhost/shop?password=hidden"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("jdbcUrl must give user and password as parameters, got"
                        + " jdbc:postgresql://clerk:***@localhost/shop?password=***; write"
                        + " jdbc:postgresql://host/database?user=…&password=…");
        assertThatThrownBy(() -> PostgresStore.open("postgresql://clerk:secret@localhost/shop"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "jdbcUrl must start with jdbc:postgresql:, got postgresql://clerk:***@localhost/shop; write");
    }

    @Test
    void a_sequence_that_is_gone_is_named() {
        PostgresOptions options = PostgresOptions.DEFAULT.withSchema("halved");
        server.execute("DROP SCHEMA IF EXISTS halved CASCADE");
        try (PostgresStore store = PostgresStore.open(server.source(), options)) {
            server.execute("DROP SEQUENCE halved.positions");
            assertThatThrownBy(() -> publish(store))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("a table or sequence is gone; when all of them are, open the store anew")
                    .hasMessageContaining("halved.positions");
        }
    }

    @Test
    void a_database_that_does_not_exist_is_named() {
        String url = server.url().replace("/postgres?", "/nowhere?");
        assertThatThrownBy(() -> PostgresStore.open(url))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("/nowhere: the database does not exist; create it, or correct the URL");
    }

    @Test
    void a_server_that_may_only_be_read_is_told() {
        try (PostgresStore store = PostgresStore.open(server.url(), OPTIONS);
                PostgresStore standby =
                        PostgresStore.open(server.url() + "&options=-c%20default_transaction_read_only=on", OPTIONS)) {
            assertThatThrownBy(() -> publish(standby))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the server is read-only; connect to the primary");
        }
    }

    @Test
    void a_pool_with_no_connection_left_is_told_and_works_again() throws SQLException {
        try (PostgresStore store = PostgresStore.open(server.url(), OPTIONS.withConnections(2))) {
            List<Connection> taken = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                taken.add(store.database().pool().source().getConnection());
            }
            assertThatThrownBy(() -> publish(store))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(
                            "all connections of the pool are in use; let calls finish, or raise its size");
            for (Connection connection : taken) {
                connection.close();
            }
            assertThat(publish(store)).isEqualTo(PublishResult.ACCEPTED);
        }
    }

    @Test
    void a_transaction_that_collided_is_run_again() {
        Colliding colliding = new Colliding(3, "40001");
        try (PostgresStore store = PostgresStore.open(colliding.source(), OPTIONS)) {
            publish(store);
            colliding.begin();
            List<Claim> claims = claim(store);
            assertThat(claims).as("taken once, not three times").hasSize(1);
            assertThat(colliding.collisions).hasValue(3);
            assertThat(store.settle(List.of(new Settlement.Done(claims.get(0))), Instant.now()))
                    .isEmpty();
            assertThat(store.stats(Instant.now()).claimed()).isZero();
        }
    }

    @Test
    void a_transaction_that_collides_again_and_again_is_given_up() {
        Colliding colliding = new Colliding(Integer.MAX_VALUE, "40P01");
        try (PostgresStore store = PostgresStore.open(colliding.source(), OPTIONS)) {
            colliding.begin();
            assertThatThrownBy(() -> claim(store))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the transaction collided with others again and again; repeat the call");
            assertThat(colliding.collisions.get()).isBetween(2, 20);
        }
    }

    @Test
    void a_connection_that_the_server_ended_while_it_was_idle_is_replaced() {
        try (PostgresStore store = PostgresStore.open(server.url() + "&ApplicationName=ended", OPTIONS)) {
            publish(store);
            assertThat(server.count("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                            + " WHERE application_name = 'ended'"))
                    .isPositive();
            assertThat(publish(store)).isEqualTo(PublishResult.ACCEPTED);
        }
    }

    @Test
    void a_closed_store_says_so() {
        PostgresStore store = PostgresStore.open(server.url(), OPTIONS);
        store.close();
        assertThatThrownBy(() -> publish(store))
                .isInstanceOf(StoreException.class)
                .hasMessageEndingWith(": closed; open it again to use it");
        store.close();
    }

    /** Makes commits fail, as the server does when transactions collide. */
    private final class Colliding {
        private final int times;
        private final String state;
        private final AtomicInteger collisions = new AtomicInteger();
        private volatile boolean begun;

        Colliding(int times, String state) {
            this.times = times;
            this.state = state;
        }

        void begin() {
            begun = true;
        }

        DataSource source() {
            DataSource real = server.source();
            return proxy(
                    DataSource.class,
                    real,
                    result -> result instanceof Connection connection
                            ? proxy(Connection.class, connection, UnaryOperator.identity())
                            : result);
        }

        private <T> T proxy(Class<T> type, T real, UnaryOperator<Object> change) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        if (method.getName().equals("commit") && begun && collisions.get() < times) {
                            collisions.incrementAndGet();
                            throw new SQLException("could not serialize access", state);
                        }
                        try {
                            return change.apply(method.invoke(real, arguments));
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }

    private static PublishResult publish(PostgresStore store) {
        Event event = Event.named("order.paid").source("shop").build();
        return store.publish(List.of(event), Instant.now()).get(0);
    }

    private static List<Claim> claim(PostgresStore store) {
        return store.claim(new ClaimRequest("node", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), Instant.now()));
    }
}
