package io.redrive.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Pages that stay open: each listens to the stream of live updates, and fetches its page when the stream tells of a change. */
final class OpenPages implements AutoCloseable {

    private static final Duration REOPENED_AFTER = Duration.ofSeconds(1);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final ConsoleLoad load;
    private final AtomicLong fetched = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean open = true;

    OpenPages(String url, ConsoleLoad load, int pages) {
        this.url = url;
        this.load = load;
        for (int i = 0; i < pages; i++) {
            Thread thread = new Thread(this::listen, "bench-page-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    private void listen() {
        while (open) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + ConsoleLoad.MOUNT + "/stream"))
                    .timeout(Duration.ofMinutes(10))
                    .build();
            try {
                HttpResponse<InputStream> stream = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
                follow(stream.body());
            } catch (IOException e) {
                // The stream ended: the page opens the next one, as a browser does.
                LockSupport.parkNanos(REOPENED_AFTER.toNanos());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void follow(InputStream stream) throws IOException, InterruptedException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); open && line != null; line = lines.readLine()) {
                if (line.equals("event:change")) {
                    load.get(ConsoleLoad.MOUNT);
                    fetched.incrementAndGet();
                }
            }
        }
    }

    /** Returns how often all pages together were fetched. */
    long fetched() {
        return fetched.get();
    }

    @Override
    public void close() {
        open = false;
        threads.forEach(Thread::interrupt);
    }
}
