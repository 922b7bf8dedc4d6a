package io.redrive.console;

import io.redrive.core.Time;
import io.redrive.events.RedriveOperation;
import io.redrive.events.StoreStats;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.Operations;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Tells open pages that the store has changed, by server-sent events without any data: a page then fetches its live part itself.
 *
 * <p><b>Cost.</b> One thread for all streams of the process, and only while a stream is open. The thread looks at the store once a
 * second, more rarely when looking takes long ({@link #REST}), so that streams cost the store the same however many pages are open.
 *
 * <p><b>Slow readers.</b> A stream ends after {@link #LIFE}; the browser opens the next one. In this time a stream gets at most one
 * short message a second, which fits into the send buffer of a connection: a browser that reads nothing cannot hold up the thread.
 * A new request also asks the application's login again.
 */
final class LiveStreams implements SmartLifecycle {

    static final Duration LIFE = Duration.ofMinutes(5);

    private static final System.Logger LOG = System.getLogger(LiveStreams.class.getName());
    private static final Duration BEAT = Duration.ofSeconds(1);
    /** A page that hears nothing for longer asks by itself. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** Looking takes at most one part of so many parts of the time. */
    private static final int REST = 10;

    private static final int LISTED = 20;

    /** What pages show of the store: a page has nothing new while the sight is the same. */
    private record Sight(List<Long> events, List<Object> operations, List<Object> runs) {}

    private record Stream(ServerResponse.SseBuilder out, Instant end) {}

    private final Supplier<Operations> operations;
    private final BooleanSupplier hasRuns;
    private final int limit;
    private final Time time;
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor thread;
    private boolean beating;
    private volatile boolean running;
    private Optional<Sight> last = Optional.empty();
    private Instant told = Instant.MIN;

    /**
     * Makes the streams of a process.
     *
     * @param operations the store as a viewer sees it
     * @param hasRuns true when the operations have runs
     * @param limit the most open streams; 0 for none
     */
    LiveStreams(Supplier<Operations> operations, BooleanSupplier hasRuns, int limit, Time time) {
        this.operations = operations;
        this.hasRuns = hasRuns;
        this.limit = limit;
        this.time = time;
        thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread made = new Thread(work, "redrive-console-streams");
            made.setDaemon(true);
            return made;
        });
        thread.setKeepAliveTime(GRACE.toSeconds(), TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** Returns true when pages may open streams. */
    boolean isOffered() {
        return limit > 0;
    }

    /** Returns the number of open streams. */
    int open() {
        return streams.size();
    }

    /** Opens a stream; refuses when too many are open, and the page then asks by itself. */
    ServerResponse open(Visit visit) {
        if (!running || streams.size() >= limit) {
            return Renderer.headed(HttpStatus.SERVICE_UNAVAILABLE)
                    .header("Retry-After", "60")
                    .body("redrive.console.streams must be at most " + limit
                            + " open streams of this process; the page asks every few seconds instead");
        }
        ServerResponse stream = ServerResponse.sse(this::begin, LIFE.plus(GRACE));
        // The last header keeps proxies from holding messages back.
        return Renderer.headed(HttpStatus.OK)
                .header("X-Accel-Buffering", "no")
                .build((request, response) -> stream.writeTo(request, response, List::of));
    }

    private void begin(ServerResponse.SseBuilder out) {
        Stream stream = new Stream(out, time.now().plus(LIFE));
        out.onComplete(() -> streams.remove(stream));
        out.onTimeout(() -> streams.remove(stream));
        out.onError(error -> streams.remove(stream));
        streams.add(stream);
        try {
            out.retry(BEAT.multipliedBy(3)).comment("redrive").send();
        } catch (IOException e) {
            streams.remove(stream);
        }
        beatSoon();
    }

    private synchronized void beatSoon() {
        if (!beating && running) {
            beating = true;
            last = Optional.empty();
            thread.schedule(this::beat, BEAT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Looks at the store once, tells the streams, and plans the next look. */
    private void beat() {
        Instant began = time.now();
        streams.stream().filter(stream -> !began.isBefore(stream.end())).forEach(this::end);
        Optional<Sight> sight = look();
        Instant now = time.now();
        // A store that does not answer is news as well: the pages ask, and say what is wrong.
        if (sight.isEmpty() || !sight.equals(last) || !now.isBefore(told.plus(SILENCE))) {
            told = now;
            streams.forEach(this::tell);
        }
        last = sight;
        Duration took = Duration.between(began, now);
        plan(took.multipliedBy(REST));
    }

    private synchronized void plan(Duration rest) {
        beating = running && !streams.isEmpty();
        if (beating) {
            Duration wait = rest.compareTo(BEAT) < 0 ? BEAT : rest;
            wait = wait.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : wait;
            thread.schedule(this::beat, wait.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private Optional<Sight> look() {
        try {
            Operations store = operations.get();
            StoreStats stats = store.events().stats();
            List<Object> redrives = store.redrives().list(LISTED).stream()
                    .map(LiveStreams::stateOf)
                    .toList();
            List<Object> runs = hasRuns.getAsBoolean()
                    ? store.runs().list(Optional.empty(), LISTED).stream()
                            .map(LiveStreams::stateOf)
                            .toList()
                    : List.of();
            List<Long> events = List.of(
                    stats.ready(),
                    stats.delayed(),
                    stats.claimed(),
                    stats.dead(),
                    stats.waiting().paused());
            return Optional.of(new Sight(events, redrives, runs));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "the console's streams could not read the store", e);
            return Optional.empty();
        }
    }

    private static Object stateOf(RedriveOperation operation) {
        return List.of(operation.id(), operation.state().code(), operation.counts());
    }

    private static Object stateOf(RunRecord run) {
        return List.of(run.id(), run.status(), run.totals(), run.workers());
    }

    private void tell(Stream stream) {
        try {
            stream.out().event("change").data("1");
        } catch (IOException | RuntimeException e) {
            // The browser is gone.
            streams.remove(stream);
            stream.out().complete();
        }
    }

    private void end(Stream stream) {
        streams.remove(stream);
        stream.out().complete();
    }

    @Override
    public void start() {
        running = true;
    }

    /** Ends the streams first, because an application waits for open requests when it stops. The idle thread ends by itself. */
    @Override
    public void stop() {
        running = false;
        streams.forEach(this::end);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
