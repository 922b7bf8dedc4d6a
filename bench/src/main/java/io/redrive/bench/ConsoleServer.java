package io.redrive.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real server with the console: a child process on a store, on a free port of loopback. */
final class ConsoleServer implements AutoCloseable {

    private static final String JAR = "redrive.server.jar";
    private static final String HEAP = "-Xmx512m";
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Pattern LISTENING = Pattern.compile("(http://127[^\\s;/]+)");

    private final Process process;
    private final String url;

    private ConsoleServer(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    static ConsoleServer start(String store, Path folder) throws Exception {
        String jar = System.getProperty(JAR);
        if (jar == null || !Files.isRegularFile(Path.of(jar))) {
            throw new IllegalStateException("-D" + JAR + " must be the jar of the server, got " + jar
                    + "; start the suite with ./redrive bench console");
        }
        List<String> command = new ArrayList<>(List.of(java("java"), HEAP));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-jar", jar, "serve", "--port", "0", "--store", store));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        CompletableFuture<String> url = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(process, url), "bench-server-output");
        reader.setDaemon(true);
        reader.start();
        try {
            return new ConsoleServer(process, url.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static void read(Process process, CompletableFuture<String> url) {
        StringBuilder all = new StringBuilder();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LISTENING.matcher(line);
                if (matcher.find()) {
                    url.complete(matcher.group(1));
                }
                if (!url.isDone()) {
                    all.append(line).append('\n');
                }
            }
        } catch (IOException e) {
            url.completeExceptionally(e);
        }
        url.completeExceptionally(new IOException("the server ended before it answered:\n" + all));
    }

    private static String java(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    String url() {
        return url;
    }

    /** Returns the bytes of all live objects, after a collection. */
    long liveBytes() throws IOException, InterruptedException {
        Process jmap = new ProcessBuilder(java("jmap"), "-histo:live", String.valueOf(process.pid()))
                .redirectErrorStream(true)
                .start();
        String last = "";
        try (BufferedReader lines = jmap.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line.startsWith("Total") ? line : last;
            }
        }
        jmap.waitFor();
        if (last.isEmpty()) {
            throw new IllegalStateException("jmap must tell the live bytes of the server, and told nothing");
        }
        return Long.parseLong(last.strip().split("\\s+")[2]);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
