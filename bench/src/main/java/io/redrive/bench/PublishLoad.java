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

/**
 * Publishes the same events over HTTP and in process, with the same number of callers, and the same events in each call. The payload is
 * prepared for both: callers over HTTP send bytes which were made before, callers in process make events of a text which was made
 * before. Otherwise a third of the processors' time would go into the text of the load, which is no part of either.
 */
final class PublishLoad {

    private static final int CALLERS = 8;
    private static final int ACCEPTED = 202;
    private static final String PAYLOAD = "{\"i\": 12345, \"filler\": \"" + "x".repeat(250) + "\"}";

    private PublishLoad() {}

    /** A call that publishes the events of one batch. */
    private interface Call {
        void publish() throws Exception;
    }

    /** Returns events per second that a server at this address accepts. */
    static double overHttp(String url, int events, int batch) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/events"))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(json(batch).getBytes(StandardCharsets.UTF_8)))
                .build();
        return rate(events, batch, () -> {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() != ACCEPTED) {
                throw new IllegalStateException("the server answered " + answer.statusCode() + ": "
                        + new String(answer.body(), StandardCharsets.UTF_8));
            }
        });
    }

    /** Returns events per second that a store in this process accepts. */
    static double inProcess(EventStore store, int events, int batch) throws Exception {
        return rate(events, batch, () -> store.publish(made(batch), Instant.now()));
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
                        call.publish();
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

    private static String json(int batch) {
        String event = "{\"name\": \"bench.event\", \"source\": \"bench\", \"payload\": " + PAYLOAD + "}";
        return batch == 1 ? event : "[" + event + (", " + event).repeat(batch - 1) + "]";
    }

    private static List<Event> made(int batch) {
        List<Event> events = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            events.add(Event.named("bench.event").source("bench").json(PAYLOAD).build());
        }
        return events;
    }
}
