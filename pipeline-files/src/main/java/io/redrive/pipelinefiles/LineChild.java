package io.redrive.pipelinefiles;

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
 * A long-lived child process that answers each line with a line. Used by one thread at a time. Whatever goes wrong, it must
 * be killed: nobody knows any more which answer belongs to what.
 */
final class LineChild {

    private static final Logger LOG = System.getLogger(LineChild.class.getPackageName());
    private static final int AHEAD = 16;
    private static final int BUFFER = 64 * 1024;

    private final ChildProcess process;
    private final int maxLine;
    /** What was read at once stays together, so that a line too many shows before the next one is asked for. */
    private final BlockingQueue<List<LineSplitter.Line>> chunks = new ArrayBlockingQueue<>(AHEAD);

    private final Deque<LineSplitter.Line> lines = new ArrayDeque<>();
    private volatile boolean killed;

    LineChild(ChildProcess process, int maxLine) {
        this.process = process;
        this.maxLine = maxLine;
        ChildProcess.aside(this::readAll);
    }

    /** The answers to these lines, in their order. */
    List<String> ask(List<String> requests, StopSignal stop) throws InterruptedException {
        if (lines.isEmpty() && !chunks.isEmpty()) {
            lines.addAll(chunks.take());
        }
        if (!lines.isEmpty()) {
            throw lines.peek().isEnd() ? process.failure(stop) : unasked(lines.peek());
        }
        process.write(String.join("\n", requests) + "\n", false);
        List<String> answers = new ArrayList<>(requests.size());
        while (answers.size() < requests.size()) {
            while (lines.isEmpty()) {
                lines.addAll(chunks.take());
            }
            LineSplitter.Line line = lines.remove();
            if (line.isEnd()) {
                throw process.failure(stop);
            }
            if (line.tooLong()) {
                throw new SampleException(process.named() + " must answer with at most " + maxLine
                        + " bytes to a line, which is max-payload of the pipeline, got more");
            }
            answers.add(line.text());
        }
        return answers;
    }

    /** False when there is no need to ask any more. */
    boolean isUsable() {
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

    private AnswerException unasked(LineSplitter.Line line) {
        String text = line.tooLong() ? "" : line.text();
        return new AnswerException(process.named() + " must write one line for each line it reads, and messages to"
                + " standard error; got the line '" + (text.length() > 100 ? text.substring(0, 100) + "…" : text)
                + "' that nobody had asked for");
    }

    private Void readAll() throws InterruptedException {
        LineSplitter splitter = new LineSplitter(maxLine);
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = process.output()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                put(splitter.split(buffer, read));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> named() + ": its output ended: " + e);
        }
        // A last line without its end was cut off by a crash: it is no answer, however much it looks like one.
        put(List.of(LineSplitter.Line.END));
        return null;
    }

    /** Waits for room, but not for ever: nobody takes anything from a process that was killed. */
    private void put(List<LineSplitter.Line> chunk) throws InterruptedException {
        boolean taken = chunk.isEmpty();
        while (!taken && !killed) {
            taken = chunks.offer(chunk, 1, TimeUnit.SECONDS);
        }
    }
}
