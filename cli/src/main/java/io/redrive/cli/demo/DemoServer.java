package io.redrive.cli.demo;

import io.redrive.cli.command.CommandFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of the demo: a child process on the same store, as in a deployment where applications and servers share a database. The
 * server serves the console and delivers webhooks. The server ends with the demo, also when the demo is killed: then the standard input
 * of the server ends.
 */
final class DemoServer implements AutoCloseable {

    /** The system property with the jar of the server, which the launcher of a checkout sets. */
    static final String JAR = "redrive.server.jar";

    private static final String SECRETS_KEY = "REDRIVE_SECRETS_KEY";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);
    private static final Pattern LISTENING = Pattern.compile("(https?://[^\\s;]+)");
    private static final Pattern PASSWORD = Pattern.compile("user admin, password (\\S+)");

    private final Process process;
    private final Thread reader;
    private final CompletableFuture<String> url = new CompletableFuture<>();
    private final CompletableFuture<String> password = new CompletableFuture<>();

    private DemoServer(Process process) {
        this.process = process;
        reader = new Thread(this::read, "redrive-demo-server");
        reader.setDaemon(true);
    }

    /** Returns the jar of the server; empty when this process was started without the launcher. */
    static Optional<Path> jar() {
        return Optional.ofNullable(System.getProperty(JAR)).map(Path::of).filter(Files::isRegularFile);
    }

    /**
     * Starts a server on a free port and waits until the server answers.
     *
     * @param store the store, as {@code --store} names it
     * @param configuration the configuration file
     * @param log receives what the server prints
     */
    static DemoServer start(Path jar, String store, Path configuration, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-jar", jar.toString(), "serve", "--admin", "--stop-with-input"));
        command.addAll(List.of("--port", "0", "--store", store, "--config", configuration.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(SECRETS_KEY, randomKey());
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        DemoServer server = new DemoServer(builder.start());
        server.reader.start();
        server.awaitStart(log);
        return server;
    }

    /** Returns 32 random bytes in Base64. The secrets of the demo's routes are in its configuration, so no later start needs the key. */
    private static String randomKey() {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        while (bytes.hasRemaining()) {
            bytes.putLong(UUID.randomUUID().getLeastSignificantBits());
        }
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** Returns the address of the console. */
    String url() {
        return url.join();
    }

    /** Returns the password of the user {@code admin}. */
    String password() {
        return password.join();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                complete(LISTENING, line, url);
                complete(PASSWORD, line, password);
            }
        } catch (IOException e) {
            url.completeExceptionally(e);
        }
        IOException ended = new IOException("the server ended");
        url.completeExceptionally(ended);
        password.completeExceptionally(ended);
    }

    private static void complete(Pattern wanted, String line, CompletableFuture<String> found) {
        Matcher matcher = wanted.matcher(line);
        if (matcher.find()) {
            found.complete(matcher.group(1));
        }
    }

    private void awaitStart(Path log) {
        try {
            CompletableFuture.allOf(url, password).get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while the server started", e);
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new CommandFailed("the server of the demo did not start; its messages are in " + log, e);
        }
    }

    /** Stops the server; kills the process when the stop takes longer than its limit. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
