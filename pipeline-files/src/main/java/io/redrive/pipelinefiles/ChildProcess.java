package io.redrive.pipelinefiles;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A child process with its three streams. They are read and written by threads of their own: a thread blocked on a pipe
 * cannot be interrupted, and a stage must be, when its time is up.
 */
final class ChildProcess {

    private static final Logger LOG = System.getLogger(ChildProcess.class.getPackageName());
    private static final Duration END_PATIENCE = Duration.ofSeconds(2);
    private static final Duration SIGNAL_PATIENCE = Duration.ofSeconds(1);
    private static final int SIGINT = 128 + 2;
    private static final int SIGTERM = 128 + 15;

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "redrive-child");
        thread.setDaemon(true);
        return thread;
    });

    private final String stage;
    private final Program program;
    private final Process process;
    private final ErrorTail errors;
    private final Future<?> errorsRead;

    private ChildProcess(String stage, Program program, Process process) {
        this.stage = stage;
        this.program = program;
        this.process = process;
        errors = new ErrorTail(process, stage);
        errorsRead = THREADS.submit(errors);
    }

    /**
     * Starts it for a sample.
     *
     * @throws InterruptedException when Ctrl-C met it half-way
     */
    static ChildProcess start(String stage, Program program, Scope scope, StopSignal stop)
            throws IOException, InterruptedException {
        try {
            return new ChildProcess(stage, program, program.start(stage, scope));
        } catch (IOException e) {
            boolean signalled = String.valueOf(e.getMessage()).contains("signal: ");
            if (stop.isRaisedWithin(signalled ? SIGNAL_PATIENCE : Duration.ZERO)) {
                throw new InterruptedException("command " + program.shown() + " was stopped as it began");
            }
            throw e;
        }
    }

    /** Does something that blocks on a stream of the process. */
    static <T> Future<T> aside(Callable<T> task) {
        return THREADS.submit(task);
    }

    InputStream output() {
        return process.getInputStream();
    }

    /** Writes to its standard input, on another thread: it may not read before it has written something itself. */
    Future<?> write(String text, boolean last) {
        return aside(() -> {
            // Not closed in between: that would be the end of the process.
            OutputStream input = process.getOutputStream();
            input.write(text.getBytes(StandardCharsets.UTF_8));
            input.flush();
            if (last) {
                input.close();
            }
            return null;
        });
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The exit code, when it has ended or is about to. */
    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /**
     * Why it failed: it is dead, or as good as dead because its output has ended.
     *
     * @throws InterruptedException when it went down because the run is being stopped
     */
    CommandException failure(StopSignal stop) throws InterruptedException {
        if (!process.waitFor(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            return new CommandException("closed", named() + " closed its standard output" + said(), null);
        }
        int code = process.exitValue();
        boolean signalled = code == SIGINT || code == SIGTERM;
        if (stop.isRaisedWithin(signalled ? SIGNAL_PATIENCE : Duration.ZERO)) {
            throw new InterruptedException(named() + " ended with the run");
        }
        return new CommandException("exit_" + code, named() + " ended with exit code " + code + said(), null);
    }

    /** It and all that it has started. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Lets it end by itself, then makes it. */
    void close() {
        CompletableFuture<Process> end = process.onExit();
        aside(() -> {
            process.getOutputStream().close();
            return null;
        });
        try {
            end.get(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, () -> named() + " did not end when its input did, and is killed");
        }
        kill();
    }

    String named() {
        return "command " + program.shown() + " of stage '" + stage + "'";
    }

    /** The last it said on standard error, once all of that has been read. */
    private String said() throws InterruptedException {
        try {
            errorsRead.get(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, () -> named() + " left somebody behind who holds its standard error");
        }
        String text = errors.text();
        return text.isEmpty() ? "" : ": " + text;
    }
}
