package io.redrive.server.problem;

import io.redrive.core.Time;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.springframework.http.HttpStatus;

/** The body of a request, which ends with a {@link Problem} above a size, or when the caller takes too long to send it. */
public final class LimitedInput extends ServletInputStream {

    private final ServletInputStream input;
    private final long most;
    private final Duration longest;
    private final Time time;
    private final Instant end;
    private long read;

    /** Reads at most {@code most} bytes of {@code input}, within {@code longest}. */
    public LimitedInput(ServletInputStream input, long most, Duration longest, Time time) {
        this.input = input;
        this.most = most;
        this.longest = longest;
        this.time = time;
        end = time.now().plus(longest);
    }

    /** Returns the answer to a body above the limit. */
    public static Problem tooLarge(long most) {
        return Problem.tooLarge("limits.body", "must be at most " + most + " bytes");
    }

    @Override
    public int read() throws IOException {
        int value = input.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = input.read(buffer, offset, length);
        count(Math.max(0, count));
        return count;
    }

    private void count(int more) {
        read += more;
        if (read > most) {
            throw tooLarge(most);
        }
        if (time.now().isAfter(end)) {
            throw Problem.of(
                    HttpStatus.REQUEST_TIMEOUT,
                    "slow",
                    "the body must be sent within " + longest.toMillis() + " ms (limits.body-time)");
        }
    }

    @Override
    public boolean isFinished() {
        return input.isFinished();
    }

    @Override
    public boolean isReady() {
        return input.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        input.setReadListener(listener);
    }
}
