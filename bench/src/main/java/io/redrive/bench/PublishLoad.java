package io.redrive.bench;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Publishes the same events over HTTP and in process, with the same number of callers, and the same events in each call. */
final class PublishLoad {

    private static final int CALLERS = 8;
    private static final int ACCEPTED = 202;
    private static final String FILLER = "x".repeat(250);

    private PublishLoad() {}

    /** A call that publishes {@code batch} events, the first with the number {@code from}. */
    private interface Call {
        void publish(int from) throws Exception;
    }

    /** Returns events per second that a server at this address accepts. */
    static double overHttp(String url, int events, int batch) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        URI uri = URI.create(url + "/api/v1/events");
        return rate(events, batch, from -> {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(json(from, batch)))
                    .build();
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != ACCEPTED) {
                throw new IllegalStateException("the server answered " + answer.statusCode() + ": "
                        + new String(answer.body(), StandardCharsets.UTF_8));
            }
        });
    }

    /** Returns events per second that a store in this process accepts. */
    static double inProcess(EventStore store, int events, int batch) throws Exception {
        return rate(events, batch, from -> store.publish(made(from, batch), Instant.now()));
    }

    private static double rate(int events, int batch, Call call) throws Exception {
        AtomicInteger next = new AtomicInteger();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            long began = System.nanoTime();
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                ends.add(callers.submit(() -> {
                    for (int from = next.getAndAdd(batch); from < events; from = next.getAndAdd(batch)) {
                        call.publish(from);
                    }
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            return events / ((System.nanoTime() - began) / 1e9);
        } finally {
            callers.shutdownNow();
        }
    }

    private static String json(int from, int batch) {
        String events = IntStream.range(from, from + batch)
                .mapToObj(i -> "{\"name\": \"bench.event\", \"source\": \"bench\", \"payload\": " + payload(i) + "}")
                .collect(Collectors.joining(", "));
        return batch == 1 ? events : "[" + events + "]";
    }

    private static List<Event> made(int from, int batch) {
        return IntStream.range(from, from + batch)
                .mapToObj(i -> Event.named("bench.event")
                        .source("bench")
                        .json(payload(i))
                        .build())
                .toList();
    }

    private static String payload(int i) {
        return "{\"i\": " + i + ", \"filler\": \"" + FILLER + "\"}";
    }
}
