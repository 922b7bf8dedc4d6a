package io.redrive.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Looks at the configuration file twice a second and reloads a changed file. Compares the bytes, because a file that a cluster mounts
 * changes by a link, and a change within one second leaves the file's time alone. A file that is missing for a moment, while an editor
 * replaces it, is no change.
 */
public final class ConfigurationWatch implements SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(ConfigurationWatch.class);
    private static final long INTERVAL_MILLIS = 500;

    private final ConfigurationReload reload;
    private @Nullable ScheduledThreadPoolExecutor executor;
    private byte[] seen = {};

    /** Watches the file of {@code reload}. */
    public ConfigurationWatch(ConfigurationReload reload) {
        this.reload = reload;
        Path file = reload.path();
        if (file != null) {
            seen = bytes(file, seen);
        }
    }

    @Override
    public synchronized void start() {
        Path file = reload.path();
        if (file == null || executor != null) {
            return;
        }
        executor = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "redrive-configuration");
            thread.setDaemon(true);
            return thread;
        });
        executor.scheduleWithFixedDelay(() -> look(file), INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(Path file) {
        try {
            byte[] now = bytes(file, seen);
            if (!Arrays.equals(seen, now)) {
                seen = now;
                reload.reload();
            }
        } catch (RuntimeException e) {
            // The next look tries again; an exception that left this method would end the watch.
            LOG.error("The changed configuration could not be put into force", e);
        }
    }

    private static byte[] bytes(Path file, byte[] otherwise) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return otherwise;
        }
    }

    @Override
    public synchronized void stop() {
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return executor != null;
    }
}
