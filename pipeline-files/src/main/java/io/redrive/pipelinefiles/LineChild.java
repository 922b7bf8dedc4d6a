package io.redrive.pipelinefiles;

import io.redrive.pipelinefiles.LineSplitter.Line;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A long-lived child process that answers each line with a line. Used by one thread at a time. After any failure the caller must kill
 * the process, because the next lines may be answers to earlier requests.
 */
final class LineChild {

    private static final Logger LOG = System.getLogger(LineChild.class.getPackageName());
    private static final int MAX_CHUNKS = 16;
    private static final int BUFFER = 64 * 1024;

    private final ChildProcess process;
    private final int maxLine;
    /** Chunks of lines as read from the process: a surplus line is in the chunk of the answer, and is found before the next request. */
    private final BlockingQueue<List<Line>> chunks = new ArrayBlockingQueue<>(MAX_CHUNKS);

    private final Deque<Line> lines = new ArrayDeque<>();
    private volatile boolean killed;

    LineChild(ChildProcess process, int maxLine) {
        this.process = process;
        this.maxLine = maxLine;
        ChildProcess.onOwnThread(this::readAll);
    }

    /**
     * Writes these lines and returns the answers in the same order.
     *
     * @throws CommandException when the process ends
     * @throws AnswerException when the process wrote a line without a request
     */
    List<String> ask(List<String> requests, StopSignal stop) throws InterruptedException {
        if (lines.isEmpty() && !chunks.isEmpty()) {
            lines.addAll(chunks.take());
        }
        if (!lines.isEmpty()) {
            Line line = lines.remove();
            throw line == Line.Mark.END_OF_STREAM ? process.failure(stop) : unexpected(line);
        }
        process.write(String.join("\n", requests) + "\n", false);
        List<String> answers = new ArrayList<>(requests.size());
        while (answers.size() < requests.size()) {
            while (lines.isEmpty()) {
                lines.addAll(chunks.take());
            }
            answers.add(text(lines.remove(), stop));
        }
        return answers;
    }

    private String text(Line line, StopSignal stop) throws InterruptedException {
        if (line instanceof Line.Text text) {
            return text.text();
        }
        throw line == Line.Mark.END_OF_STREAM
                ? process.failure(stop)
                : new SampleException(process.named() + " must answer with at most " + maxLine
                        + " bytes to a line, which is max-payload of the pipeline, got more");
    }

    /** Returns true while the process runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        killed = true;
        process.kill();
    }

    void close() {
        process.close();
        killed = true;
    }

    String named() {
        return process.named();
    }

    private AnswerException unexpected(Line line) {
        String text = line instanceof Line.Text whole ? whole.text() : "";
        return new AnswerException(process.named() + " must write one line for each line it reads, and messages to"
                + " standard error; got the line '" + (text.length() > 100 ? text.substring(0, 100) + "…" : text)
                + "' without a request");
    }

    private boolean readAll() throws InterruptedException {
        LineSplitter splitter = new LineSplitter(maxLine);
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = process.output()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                put(splitter.split(buffer, read));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> named() + ": its standard output ended: " + e);
        }
        // A last line without a line break was cut off by a crash: not an answer, even if the line is valid JSON.
        put(List.of(Line.Mark.END_OF_STREAM));
        return true;
    }

    /** Waits for room in the queue, until the process is killed: then no thread takes lines any more. */
    private void put(List<Line> chunk) throws InterruptedException {
        boolean taken = chunk.isEmpty();
        while (!taken && !killed) {
            taken = chunks.offer(chunk, 1, TimeUnit.SECONDS);
        }
    }
}
