package io.redrive.server.access;

import io.redrive.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** One server with auth for all classes of attacks, because a start takes seconds. The server ends with the JVM. */
final class AttackedServer {

    static final String PASSWORD = "correct horse battery";
    static final int CONNECTIONS = 500;

    private static @Nullable TestServer started;
    private static @Nullable Path folder;
    private static String configuration = "";

    private AttackedServer() {}

    static synchronized TestServer server() {
        if (started == null) {
            try {
                folder = Files.createTempDirectory("redrive-attacked-");
                configuration = """
                        auth:
                          users:
                            ann: {role: admin, password: '%s'}
                        limits: {login-attempts: 1000, body: 64KB, body-time: 2s, idle: 1s, streams: 2, headers: 8KB, connections: %d}
                        """.formatted(new BCryptPasswordEncoder(4).encode(PASSWORD), CONNECTIONS);
                started = TestServer.start(folder, configuration);
                Runtime.getRuntime().addShutdownHook(new Thread(AttackedServer::deleteFolder));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return started;
    }

    /** Writes the configuration with another limit of wrong passwords; the server reads the file within seconds. */
    static synchronized void limitLogins(int attempts) throws IOException {
        Files.writeString(
                folder.resolve("redrive.yml"),
                configuration.replace("login-attempts: 1000", "login-attempts: " + attempts));
    }

    private static void deleteFolder() {
        started.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
