package io.redrive.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packaged server as its operators meet it: its start, a small command that asks it, and a flood of idle connections. */
final class ServerUse {

    /** A caller who is not served within this time counts as never served. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration ONE_TRY = Duration.ofSeconds(5);
    private static final int ACCEPTED = 202;

    private final Path folder;
    private int stores;

    /** Keeps stores and logs in {@code folder}. */
    ServerUse(Path folder) {
        this.folder = folder;
    }

    /** Starts a server. */
    private interface Start {
        ServerProcess run() throws IOException, InterruptedException;
    }

    /** Returns the seconds from {@code ./redrive serve} to the line which says that the server listens; the best of some starts. */
    double start(int rounds) throws IOException, InterruptedException {
        // The first start makes the class archive, which later starts use.
        startByLauncher().close();
        return best(rounds, this::startByLauncher);
    }

    /** Returns the same seconds for {@code java -jar redrive-server.jar serve}, without an archive. */
    double startJar(int rounds) throws IOException, InterruptedException {
        return best(rounds, this::server);
    }

    private static double best(int rounds, Start start) throws IOException, InterruptedException {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            long began = System.nanoTime();
            try (ServerProcess server = start.run()) {
                best = Math.min(best, (System.nanoTime() - began) / 1e9);
            }
        }
        return best;
    }

    /** Returns the median of the milliseconds of {@code ./redrive status --server URL}, with the start of its JVM. */
    double remoteCommand(int calls) throws IOException, InterruptedException {
        try (ServerProcess server = server()) {
            // The first call builds the command line where it is missing, and makes its class archive.
            status(server.url());
            List<Double> millis = new ArrayList<>();
            for (int call = 0; call < calls; call++) {
                millis.add(status(server.url()));
            }
            return millis.stream().sorted().skip(calls / 2).findFirst().orElseThrow();
        }
    }

    private double status(String url) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Path output = folder.resolve("status.txt");
        Process command = new ProcessBuilder(
                        ServerProcess.checkout().resolve("redrive").toString(), "status", "--server", url)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = command.waitFor();
        if (code != 0) {
            throw new IllegalStateException("redrive status ended with " + code + ": " + Files.readString(output));
        }
        return (System.nanoTime() - began) / 1e6;
    }

    /** Returns the seconds which a caller waits for the answer to a publish after so many idle connections were opened before. */
    double servedBeside(int idle) throws IOException, InterruptedException {
        List<SocketChannel> open = new ArrayList<>();
        try (ServerProcess server = server()) {
            URI url = URI.create(server.url());
            for (int i = 0; i < idle; i++) {
                SocketChannel channel = SocketChannel.open();
                open.add(channel);
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress(url.getHost(), url.getPort()));
            }
            long began = System.nanoTime();
            while (System.nanoTime() - began < PATIENCE.toNanos()) {
                if (isServed(url)) {
                    return (System.nanoTime() - began) / 1e9;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            throw new IllegalStateException("no caller was served beside " + idle + " idle connections");
        } catch (IOException e) {
            throw new IOException(
                    "after " + open.size() + " of " + idle + " connections: " + e.getMessage()
                            + "; both processes need a limit of open files above that (ulimit -n)",
                    e);
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
    }

    private static boolean isServed(URI url) throws InterruptedException {
        HttpClient client = HttpClient.newBuilder().connectTimeout(ONE_TRY).build();
        try {
            return client.send(
                                    HttpRequest.newBuilder(url.resolve("/api/v1/events"))
                                            .timeout(ONE_TRY)
                                            .header("content-type", "application/json")
                                            .POST(HttpRequest.BodyPublishers.ofString(
                                                    "{\"name\": \"bench.event\", \"source\": \"bench\"}"))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == ACCEPTED;
        } catch (IOException notServed) {
            return false;
        }
    }

    private ServerProcess server() throws IOException, InterruptedException {
        return ServerProcess.start(store(), configuration(), folder.resolve("use.log"));
    }

    private ServerProcess startByLauncher() throws IOException, InterruptedException {
        return ServerProcess.startByLauncher(store(), configuration(), folder.resolve("use.log"));
    }

    private Path store() {
        return folder.resolve("use-" + stores++ + ".db");
    }

    private Path configuration() throws IOException {
        return Files.writeString(folder.resolve("use.yml"), "");
    }
}
