package io.redrive.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server as a child process, from the jar of the checkout: {@code redrive serve} on a free port of loopback. The server stops with
 * this process.
 */
final class ServerProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Pattern LISTENING = Pattern.compile("listens on (https?://[^\\s;]+)");

    private final Process process;
    private final CompletableFuture<String> url = new CompletableFuture<>();

    private ServerProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a server and waits until the server listens.
     *
     * @param store the file of the store
     * @param configuration the configuration file
     * @param log receives the log of the server
     */
    static ServerProcess start(Path store, Path configuration, Path log) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-jar", jar().toString()));
        return start(command, store, configuration, log);
    }

    /** Starts a server as people do from a checkout, with {@code ./redrive serve}. The script becomes the JVM of the server. */
    static ServerProcess startByLauncher(Path store, Path configuration, Path log)
            throws IOException, InterruptedException {
        return start(List.of(checkout().resolve("redrive").toString()), store, configuration, log);
    }

    private static ServerProcess start(List<String> program, Path store, Path configuration, Path log)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("serve", "--stop-with-input", "--port", "0"));
        command.addAll(List.of("--store", store.toString(), "--config", configuration.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("REDRIVE_SECRETS_KEY", DeliveryLoad.KEY);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        ServerProcess server = new ServerProcess(builder.start());
        Thread reader = new Thread(server::read, "server-output");
        reader.setDaemon(true);
        reader.start();
        server.awaitStart(log);
        return server;
    }

    private static Path jar() throws IOException {
        Path jar = checkout().resolve("server/target/redrive-server.jar");
        if (!Files.isRegularFile(jar)) {
            throw new IOException(jar + " is missing; build the server with ./redrive config --help");
        }
        return jar;
    }

    /** Returns the folder of the checkout. */
    static Path checkout() throws IOException {
        try {
            Path code = Path.of(ServerProcess.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return ResultFile.folder(code).resolve("../..").normalize();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    String url() {
        return url.join();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    url.complete(listening.group(1));
                }
            }
            url.completeExceptionally(new IOException("the server ended"));
        } catch (IOException e) {
            url.completeExceptionally(e);
        }
    }

    private void awaitStart(Path log) throws IOException, InterruptedException {
        try {
            url.get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            kill();
            throw new IOException("the server did not start within " + START_LIMIT + "; its messages are in " + log, e);
        }
    }

    /** Kills the server with SIGKILL and waits for its end. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops the server as an operator would, with SIGTERM. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
