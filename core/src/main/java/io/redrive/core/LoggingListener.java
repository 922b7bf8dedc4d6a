package io.redrive.core;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs retries as warnings, recoveries as information, and only final failures as errors. */
final class LoggingListener implements RetryListener {

    static final LoggingListener INSTANCE = new LoggingListener();

    private static final Logger LOG = System.getLogger(LoggingListener.class.getPackageName());

    private LoggingListener() {}

    @Override
    public void onRetry(Retrying event) {
        LOG.log(
                Level.WARNING,
                () -> event.name() + " failed (attempt " + event.attempt() + "/" + event.maxAttempts() + "): "
                        + event.failure().message() + ". Retrying in " + DurationText.format(event.delay()));
    }

    @Override
    public void onSuccess(Succeeded event) {
        if (event.attempts() > 1) {
            LOG.log(
                    Level.INFO,
                    () -> event.name() + " succeeded after " + event.attempts() + " attempts in "
                            + DurationText.format(event.elapsed()));
        }
    }

    @Override
    public void onGaveUp(GaveUp event) {
        // An open breaker refuses every call; the breaker has logged its own change of state.
        Level level = event.reason() == Reason.CIRCUIT_OPEN ? Level.DEBUG : Level.ERROR;
        LOG.log(
                level,
                () -> event.name() + " failed after " + event.attempts() + "/" + event.maxAttempts()
                        + " attempts in " + DurationText.format(event.elapsed()) + " ("
                        + event.reason().code() + "): "
                        + event.failure().message());
    }

    @Override
    public void onBreakerChanged(BreakerChanged event) {
        LOG.log(
                event.to() == CircuitBreaker.State.OPEN ? Level.WARNING : Level.INFO,
                () -> "circuit breaker '" + event.breaker() + "': " + event.from() + " -> " + event.to());
    }
}
