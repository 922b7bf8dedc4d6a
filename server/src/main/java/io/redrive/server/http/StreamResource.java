package io.redrive.server.http;

import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.operations.Operations;
import io.redrive.pipeline.StoreAlert;
import io.redrive.server.config.CurrentProperties;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * A stream of server-sent events: each new dead letter, and each alert that is raised or ends, of all nodes of the store. The id of an
 * event is the id of the letter, so that a caller goes on with {@code Last-Event-ID} where the connection broke; the store remembers
 * letters, the server nothing. A stream ends after a quarter of an hour, and with it the trust in a token; callers connect again.
 */
@RestController
class StreamResource implements SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(StreamResource.class);
    private static final Duration LIFE = Duration.ofMinutes(15);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int QUIET_LOOKS = 15;
    private static final int PAGE = 100;

    private final CallerOperations operations;
    private final CurrentProperties current;
    private final Time time;
    private final AtomicInteger open = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "redrive-stream");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean running;

    StreamResource(CallerOperations operations, CurrentProperties current, Time time) {
        this.operations = operations;
        this.current = current;
        this.time = time;
    }

    @GetMapping(path = "/api/v1/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter stream(HttpServletRequest request) {
        Query query = Query.of(request, "name");
        LetterFilter filter = query.value("name", LetterFilter.ALL::withName).orElse(LetterFilter.ALL);
        Operations all = operations.of(request);
        long last = lastId(request, all);
        if (open.incrementAndGet() > current.get().limits().streams()) {
            open.decrementAndGet();
            throw Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "limits.streams",
                    "limits.streams must be at most " + current.get().limits().streams()
                            + " open streams; try again later");
        }
        SseEmitter emitter = new SseEmitter(LIFE.plus(PAUSE).toMillis());
        threads.execute(new Stream(emitter, all, filter, last));
        return emitter;
    }

    private static long lastId(HttpServletRequest request, Operations all) {
        String header = request.getHeader("Last-Event-ID");
        if (header != null && !header.isBlank()) {
            long id = Query.read("Last-Event-ID", header, Long::parseLong);
            if (id < 0) {
                throw Problem.wrong("Last-Event-ID", header, "must be the id of an earlier event");
            }
            return id;
        }
        List<DeadLetter> newest = all.letters().newest(LetterFilter.ALL, Long.MAX_VALUE, 1);
        return newest.isEmpty() ? 0 : newest.get(0).id();
    }

    /** One stream: looks once a second, and writes on a thread of its own, so that a slow caller delays nobody. */
    private final class Stream implements Runnable {

        private final SseEmitter emitter;
        private final Operations all;
        private final LetterFilter filter;
        private final Map<String, Boolean> raised = new TreeMap<>();
        private long last;
        private int quiet;

        Stream(SseEmitter emitter, Operations all, LetterFilter filter, long last) {
            this.emitter = emitter;
            this.all = all;
            this.filter = filter;
            this.last = last;
        }

        @Override
        public void run() {
            try {
                Instant end = time.now().plus(LIFE);
                emitter.send(SseEmitter.event().comment("redrive"));
                while (running && time.now().isBefore(end)) {
                    look();
                    time.sleep(PAUSE);
                }
                emitter.complete();
            } catch (IOException | IllegalStateException e) {
                LOG.debug("A caller closed a stream", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                emitter.complete();
            } catch (RuntimeException e) {
                emitter.completeWithError(e);
            } finally {
                open.decrementAndGet();
            }
        }

        private void look() throws IOException {
            quiet++;
            for (DeadLetter letter : all.letters().oldest(filter, last, PAGE)) {
                last = letter.id();
                quiet = 0;
                emitter.send(SseEmitter.event()
                        .id(String.valueOf(letter.id()))
                        .name("dead_letter")
                        .data(LetterResource.summary(letter).done(), MediaType.APPLICATION_JSON));
            }
            for (StoreAlert alert : all.activity().alerts()) {
                Boolean before = raised.put(alert.kind().code(), alert.raised());
                if (alert.raised() != (before != null && before)) {
                    quiet = 0;
                    emitter.send(SseEmitter.event()
                            .name("alert")
                            .data(ActivityResource.alert(alert).done(), MediaType.APPLICATION_JSON));
                }
            }
            if (quiet >= QUIET_LOOKS) {
                quiet = 0;
                // Finds out that the caller is gone, and keeps proxies from closing the connection.
                emitter.send(SseEmitter.event().comment("still here"));
            }
        }
    }

    @Override
    public void start() {
        running = true;
    }

    /** Ends the streams first, because the server waits for open requests when it stops. */
    @Override
    public void stop() {
        running = false;
        threads.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
