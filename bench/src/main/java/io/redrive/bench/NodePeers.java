package io.redrive.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The fast job queues of the Node world, run by node itself against the same server. */
final class NodePeers {

    static final String GRAPHILE_WORKER = "graphile-worker";
    static final List<String> NAMES = List.of(GRAPHILE_WORKER, "pg-boss");

    private static final long LIMIT_MINUTES = 5;

    private final Path folder;
    private final String url;

    /** Installs the peers in a new folder. */
    NodePeers(String jdbcUrl) throws IOException, InterruptedException {
        folder = Files.createTempDirectory("redrive-node-peers");
        url = "postgres://postgres@" + jdbcUrl.replaceFirst(".*//([^/]+)/(\\w+).*", "$1/$2");
        for (String file : List.of("package.json", "peers.mjs")) {
            try (InputStream in = NodePeers.class.getResourceAsStream("node/" + file)) {
                Files.copy(Objects.requireNonNull(in, file), folder.resolve(file));
            }
        }
        run("npm", "install", "--no-audit", "--no-fund", "--silent");
    }

    /** Jobs per second of a peer, with all jobs waiting from the start. */
    double drainPerSecond(String peer, int jobs) throws IOException, InterruptedException {
        return Double.parseDouble(run("node", "peers.mjs", peer, url, String.valueOf(jobs), text()));
    }

    /** Figures of latency of graphile-worker by metric, as {@link EventLoad#latencies} takes them. */
    Map<String, Double> latencies(double perSecond, double seconds) throws IOException, InterruptedException {
        String jobs = String.valueOf((int) Math.max(1, perSecond * seconds));
        String[] figures = run(
                        "node", "peers.mjs", "graphile-worker-latency", url, jobs, text(), String.valueOf(perSecond))
                .split(" ");
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("p50 ms", Double.parseDouble(figures[0]));
        all.put(EventLoad.P99, Double.parseDouble(figures[1]));
        all.put("p99.9 ms", Double.parseDouble(figures[2]));
        return all;
    }

    private static String text() {
        return "x".repeat(EventLoad.PAYLOAD);
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(false)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(String.join(" ", command) + " failed in " + folder);
        }
        return Files.readString(output, StandardCharsets.UTF_8).strip();
    }
}
