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
 * A child process with its three streams. Separate threads read and write the streams: a thread blocked on a pipe cannot be
 * interrupted, but the thread of a stage must be interruptible at the time limit.
 */
final class ChildProcess {

    private static final Logger LOG = System.getLogger(ChildProcess.class.getPackageName());
    /** How long a process may take to end once its input or output is closed. */
    private static final Duration END_LIMIT = Duration.ofSeconds(2);
    /** How long after a child Ctrl-C may reach this process. */
    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(1);

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
     * Starts the program for a sample.
     *
     * @throws InterruptedException when Ctrl-C ended the process while it started
     */
    static ChildProcess start(String stage, Program program, Scope scope, StopSignal stop)
            throws IOException, InterruptedException {
        try {
            return new ChildProcess(stage, program, program.start(stage, scope));
        } catch (IOException e) {
            boolean signalled = String.valueOf(e.getMessage()).contains("signal: ");
            if (stop.isRaisedWithin(signalled ? SIGNAL_LIMIT : Duration.ZERO)) {
                throw new InterruptedException("command " + program.shown() + " was stopped while it started");
            }
            throw e;
        }
    }

    /** Runs a task that may block on a stream of a process, on a separate thread. */
    static <T> Future<T> onOwnThread(Callable<T> task) {
        return THREADS.submit(task);
    }

    InputStream output() {
        return process.getInputStream();
    }

    /** Writes to the standard input of the process, on another thread: the process may read only after it has written. */
    Future<?> write(String text, boolean last) {
        return onOwnThread(() -> {
            // Closed only after the last text, because the end of its input ends the process.
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

    /** Waits until the process ends and returns the exit code. */
    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /**
     * Returns the failure of a process that has ended or has closed its standard output.
     *
     * @throws InterruptedException when the process ended because the run is being stopped
     */
    CommandException failure(StopSignal stop) throws InterruptedException {
        if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            return new CommandException("closed", named() + " closed its standard output" + errorText());
        }
        int code = process.exitValue();
        boolean signalled = code == SIGINT || code == SIGTERM;
        if (stop.isRaisedWithin(signalled ? SIGNAL_LIMIT : Duration.ZERO)) {
            throw new InterruptedException(named() + " was stopped with the run");
        }
        return new CommandException("exit_" + code, named() + " ended with exit code " + code + errorText());
    }

    /** Kills the process and its descendants. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Closes the standard input of the process, waits up to 2 s for the process to end, and kills a process still alive. */
    void close() {
        CompletableFuture<Process> end = process.onExit();
        onOwnThread(() -> {
            process.getOutputStream().close();
            return null;
        });
        try {
            end.get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, () -> named() + " did not end after its input was closed; killed");
        }
        kill();
    }

    String named() {
        return "command " + program.shown() + " of stage '" + stage + "'";
    }

    /** Returns the last text on standard error, after waiting until the stream has been read. */
    private String errorText() throws InterruptedException {
        try {
            errorsRead.get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, () -> named() + " left a process behind that holds its standard error open");
        }
        String text = errors.text();
        return text.isEmpty() ? "" : ": " + text;
    }
}
