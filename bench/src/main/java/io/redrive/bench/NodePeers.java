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

    private NodePeers() {}

    /** Jobs per second of each peer, with all jobs waiting from the start. */
    static Map<String, Double> drainPerSecond(String jdbcUrl, int jobs) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("redrive-node-peers");
        for (String file : List.of("package.json", "peers.mjs")) {
            try (InputStream in = NodePeers.class.getResourceAsStream("node/" + file)) {
                Files.copy(Objects.requireNonNull(in, file), folder.resolve(file));
            }
        }
        run(folder, "npm", "install", "--no-audit", "--no-fund", "--silent");
        Map<String, Double> rates = new LinkedHashMap<>();
        for (String peer : NAMES) {
            String url = "postgres://postgres@" + jdbcUrl.replaceFirst(".*//([^/]+)/(\\w+).*", "$1/$2");
            rates.put(
                    peer,
                    Double.parseDouble(run(folder, "node", "peers.mjs", peer, url, String.valueOf(jobs), text())));
        }
        return rates;
    }

    private static String text() {
        return "x".repeat(EventLoad.PAYLOAD);
    }

    private static String run(Path folder, String... command) throws IOException, InterruptedException {
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
