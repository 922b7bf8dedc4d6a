package io.redrive.items.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of this process: machine, process id and start time, since process ids are used again. A later process on the same
 * machine can tell by the name that this one is gone, and need not wait for its lease to expire.
 */
final class ThisProcess {

    private static final Pattern NAME = Pattern.compile("(.+)/(\\d+)/(\\d+)");

    private ThisProcess() {}

    static String name() {
        ProcessHandle self = ProcessHandle.current();
        return host() + "/" + self.pid() + "/" + started(self).orElse(0L);
    }

    /** Returns true when {@code node} names a process of this machine that has ended; false when that is unknown. */
    static boolean isGone(String node) {
        Matcher name = NAME.matcher(node);
        if (!name.matches() || !name.group(1).equals(host())) {
            return false;
        }
        Optional<ProcessHandle> found = ProcessHandle.of(Long.parseLong(name.group(2)));
        return found.isEmpty() || !started(found.get()).equals(Optional.of(Long.parseLong(name.group(3))));
    }

    private static Optional<Long> started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli);
    }

    private static String host() {
        return Host.NAME;
    }

    /** The name of this machine, looked up once: the lookup may ask the network. */
    private static final class Host {
        static final String NAME = lookUp();

        private static String lookUp() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                // Random: under one name for all such machines, each would take the others' processes for dead.
                return "unknown-" + UUID.randomUUID();
            }
        }
    }
}
