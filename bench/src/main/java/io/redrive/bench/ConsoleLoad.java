package io.redrive.bench;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Users of the console: each asks for one page after another, as a browser does without its cache. */
final class ConsoleLoad {

    /** Where a server mounts the console. */
    static final String MOUNT = "/redrive";

    /** The measured pages, by the names of their cases. */
    static final List<String> PAGES = List.of("overview", "causes", "letters", "letter", "events");

    private static final int USERS = 4;
    private static final double SHARE = 0.95;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern ASSET = Pattern.compile("(?:href|src)=\"([^\"]*/assets/[^\"]+)\"");

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final String url;
    private final int letters;

    ConsoleLoad(String url, int letters) {
        this.url = url;
        this.letters = letters;
    }

    private String path(String page, Random random) {
        return MOUNT
                + switch (page) {
                    case "overview" -> "";
                    case "causes" -> random.nextBoolean() ? "/causes" : "/causes?show=all";
                    case "letters" -> letterList(random, letters);
                    case "letter" -> "/letters/" + (1 + random.nextInt(letters));
                    case "events" -> events(random, letters);
                    default -> throw new IllegalArgumentException("no page is called " + page);
                };
    }

    private static String letterList(Random random, int letters) {
        return switch (random.nextInt(4)) {
            case 0 -> "/letters";
            case 1 -> "/letters?name=order.name" + random.nextInt(ConsoleData.NAMES);
            case 2 -> "/letters?before=" + (1_000 + random.nextInt(letters - 1_000));
            default -> "/letters?reason=not_retryable";
        };
    }

    private static String events(Random random, int letters) {
        int number = 1 + random.nextInt(letters);
        return switch (random.nextInt(4)) {
            case 0 -> "/events";
            case 1 -> "/events?q=dead-" + number;
            case 2 -> "/events?by=correlation&q=chain-" + number / 4;
            default -> "/events?q=never-" + number;
        };
    }

    /** Returns the 95th percentile of each page, in milliseconds. */
    Map<String, Double> p95(List<String> pages, int times) throws Exception {
        round(pages, Math.max(10, times / 4), 1);
        Map<String, List<Double>> millis = round(pages, times, 2);
        Map<String, Double> result = new LinkedHashMap<>();
        millis.forEach((page, all) -> {
            double[] sorted = all.stream().mapToDouble(Double::doubleValue).toArray();
            Arrays.sort(sorted);
            result.put(page, EventLoad.percentile(sorted, SHARE));
        });
        return result;
    }

    private Map<String, List<Double>> round(List<String> pages, int times, int seed) throws Exception {
        ExecutorService users = Executors.newFixedThreadPool(USERS);
        try {
            List<Callable<Map<String, List<Double>>>> work = new ArrayList<>();
            for (int user = 0; user < USERS; user++) {
                Random random = new Random(31L * seed + user);
                work.add(() -> visit(pages, times / USERS + 1, random));
            }
            Map<String, List<Double>> all = new LinkedHashMap<>();
            for (Future<Map<String, List<Double>>> user : users.invokeAll(work)) {
                user.get()
                        .forEach((page, some) -> all.computeIfAbsent(page, unused -> new ArrayList<>())
                                .addAll(some));
            }
            return all;
        } finally {
            users.shutdownNow();
        }
    }

    private Map<String, List<Double>> visit(List<String> pages, int times, Random random)
            throws IOException, InterruptedException {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int i = 0; i < times; i++) {
            for (String page : pages) {
                long began = System.nanoTime();
                get(path(page, random));
                millis.computeIfAbsent(page, unused -> new ArrayList<>()).add((System.nanoTime() - began) / 1e6);
            }
        }
        return millis;
    }

    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Accept-Encoding", "gzip")
                .timeout(LIMIT)
                .build();
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(path + " must answer 200, got " + response.statusCode());
        }
        return response;
    }

    /** Returns the bytes of the heaviest first visit: the page and all its files, as sent. */
    long weight() throws IOException, InterruptedException {
        long heaviest = 0;
        for (String path : List.of("", "/causes?show=all", "/letters", "/letters/1000", "/events")) {
            HttpResponse<byte[]> page = get(MOUNT + path);
            long bytes = page.body().length;
            Matcher assets = ASSET.matcher(text(page));
            while (assets.find()) {
                bytes += get(assets.group(1)).body().length;
            }
            heaviest = Math.max(heaviest, bytes);
        }
        return heaviest;
    }

    private static String text(HttpResponse<byte[]> page) throws IOException {
        boolean packed =
                page.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
        byte[] bytes = packed ? new GZIPInputStream(new ByteArrayInputStream(page.body())).readAllBytes() : page.body();
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
