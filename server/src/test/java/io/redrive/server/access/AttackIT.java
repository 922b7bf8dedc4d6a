package io.redrive.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.ActionFilter;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import io.redrive.server.command.RedriveServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** Attacks that try everything the server has: each operation of the API, each spelling of a path, as many connections as fit. */
final class AttackIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    /** More than twice the connections that the server accepts; more with -Dredrive.idle-connections=N. */
    private static final int IDLE = Integer.getInteger("redrive.idle-connections", 1_200);

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = AttackedServer.server();
    }

    private static Operations admin() {
        return Operations.of(server.store(), Operator.named("test", Role.ADMIN));
    }

    private static String[] bearer(Role role) {
        return new String[] {
            "Authorization",
            "Bearer "
                    + admin().tokens()
                            .create("a " + role.code(), role, List.of(), Optional.empty())
                            .text()
        };
    }

    private static String[] basic(String name, String password) {
        byte[] both = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new String[] {"Authorization", "Basic " + Base64.getEncoder().encodeToString(both)};
    }

    private record Operation(String method, String path) {}

    /** All operations of the OpenAPI document, which a test of its own holds to the code. */
    @SuppressWarnings("unchecked")
    private static List<Operation> operations() {
        Map<String, Object> document =
                new Yaml().load(server.get("/api/v1/openapi.yaml").body());
        List<Operation> operations = new ArrayList<>();
        ((Map<String, Map<String, Object>>) document.get("paths"))
                .forEach((path, methods) -> methods.keySet().stream()
                        .filter(method ->
                                List.of("get", "put", "post", "delete", "patch").contains(method))
                        .forEach(method -> operations.add(new Operation(
                                method.toUpperCase(Locale.ROOT), "/api/v1" + path.replaceAll("\\{[^}]*}", "1")))));
        return operations;
    }

    @Test
    void a_viewer_changes_nothing_and_a_publisher_reads_nothing_with_any_operation_of_the_api() {
        String[] viewer = bearer(Role.VIEWER);
        String[] publisher = bearer(Role.PUBLISHER);
        List<Operation> operations = operations();
        assertThat(operations).hasSizeGreaterThan(60);
        int actions = admin().actions(ActionFilter.ALL, 1000).size();
        long events = server.store().stats(Instant.now()).ready();
        for (Operation operation : operations) {
            if (operation.path().endsWith("/me") || operation.path().endsWith("/openapi.yaml")) {
                continue;
            }
            // An empty object is a wrong body for most operations: a refusal of the role comes first or not, a change
            // never.
            byte[] body = operation.method().equals("GET") ? new byte[0] : "{}".getBytes(StandardCharsets.UTF_8);
            Reply reply = server.send(operation.method(), operation.path(), body, publisher);
            assertThat(reply.status())
                    .as("publisher " + operation + reply.body())
                    .isIn(400, 403, 404, 405, 415);
            if (!operation.method().equals("GET")) {
                reply = server.send(operation.method(), operation.path(), body, viewer);
                assertThat(reply.status())
                        .as("viewer " + operation + reply.body())
                        .isBetween(200, 499);
            }
        }
        assertThat(admin().actions(ActionFilter.ALL, 1000)).hasSize(actions);
        assertThat(server.store().stats(Instant.now()).ready()).isEqualTo(events);
    }

    @Test
    void guessing_a_password_ends_after_the_limit_and_even_the_right_one_waits() throws Exception {
        Reply wrong = server.get("/api/v1/me", basic("ann", "wrong"));
        assertThat(wrong.status()).isEqualTo(401);
        AttackedServer.limitLogins(2);
        try {
            await().atMost(SOON)
                    .until(() -> server.get("/api/v1/me", basic("ann", "wrong")).status() == 429);
            Reply right = server.get("/api/v1/me", basic("ann", AttackedServer.PASSWORD));
            assertThat(right.status()).isEqualTo(429);
            assertThat(right.header("Retry-After")).isEqualTo("300");
            assertThat(server.get("/api/v1/me", bearer(Role.ADMIN)).status()).isEqualTo(429);
            assertThat(server.get("/api/v1/me", "Authorization", "Bearer rdr_wrong")
                            .status())
                    .isEqualTo(429);
        } finally {
            AttackedServer.limitLogins(1000);
            await().atMost(SOON)
                    .until(() -> server.get("/api/v1/me", basic("ann", AttackedServer.PASSWORD))
                                    .status()
                            == 200);
        }
    }

    @Test
    void an_answer_to_an_unknown_name_is_the_answer_to_a_wrong_password() {
        Reply unknown = server.get("/api/v1/me", basic("nobody", "wrong"));
        Reply known = server.get("/api/v1/me", basic("ann", "wrong"));

        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.body()).isEqualTo(known.body());
        assertThat(server.get("/api/v1/me", basic("nobody", AttackedServer.PASSWORD))
                        .status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/env",
                "/heapdump",
                "/threaddump",
                "/beans",
                "/configprops",
                "/loggers",
                "/shutdown",
                "/actuator",
                "/actuator/env",
                "/actuator/heapdump",
                "/h2-console",
                "/error",
                "/.env",
                "/redrive.yml"
            })
    void dumps_and_settings_of_the_process_have_no_address(String path) {
        for (String method : List.of("GET", "POST")) {
            Reply reply = server.send(method, path, new byte[0], bearer(Role.ADMIN));
            assertThat(reply.status()).as(method).isIn(403, 404, 405);
            assertThat(reply.body()).doesNotContain(AttackedServer.PASSWORD).doesNotContain("$2a$");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/../redrive.yml",
                "/console/..%2f..%2fredrive.yml",
                "/console/%2e%2e/%2e%2e/etc/passwd",
                "/console/assets/..%5c..%5credrive.yml",
                "/console/assets/....//....//etc/passwd",
                "/console/assets/%00/etc/passwd",
                "/webjars/../../etc/passwd",
                "/in/..%2f..%2fetc%2fpasswd",
                "/api/v1/runs/..%2f..%2f..%2fetc%2fpasswd"
            })
    void no_spelling_of_a_path_reaches_a_file(String path) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + bearer(Role.ADMIN)[1]
                + "\r\nConnection: close\r\n\r\n";
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", server.port()))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
            channel.socket().setSoTimeout(20_000);
            String answer = new String(channel.socket().getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer)
                    .doesNotStartWith("HTTP/1.1 200")
                    .doesNotContain("root:")
                    .doesNotContain("login-attempts");
        }
    }

    @Test
    void idle_connections_are_limited_and_closed_and_other_callers_are_served() throws Exception {
        List<SocketChannel> idle = new ArrayList<>();
        try {
            for (int i = 0; i < IDLE; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress("127.0.0.1", server.port()));
                idle.add(channel);
            }
            String[] viewer = bearer(Role.VIEWER);
            await().atMost(Duration.ofMinutes(2))
                    .ignoreExceptions()
                    .until(() -> server.get("/api/v1/me", viewer).status() == 200);
            // The rest may wait in the kernel for a server that accepts them.
            await().atMost(Duration.ofMinutes(2))
                    .until(() ->
                            idle.stream().filter(AttackIT::isClosedByServer).count() >= AttackedServer.CONNECTIONS);
        } finally {
            for (SocketChannel channel : idle) {
                channel.close();
            }
        }
    }

    private static boolean isClosedByServer(SocketChannel channel) {
        try {
            if (channel.isConnectionPending() && !channel.finishConnect()) {
                return false;
            }
            return channel.read(ByteBuffer.allocate(16)) < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    /** Command lines are visible to every user of a machine. */
    @Test
    void no_option_of_a_command_takes_a_secret() {
        assertThat(options(RedriveServer.commandLine(Map.of())))
                .isNotEmpty()
                .noneMatch(option -> option.matches("--?(.*-)?(password|secret|token|key)"));
    }

    private static List<String> options(CommandLine command) {
        List<String> names = new ArrayList<>();
        command.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
        command.getSubcommands().values().forEach(sub -> names.addAll(options(sub)));
        return names;
    }
}
