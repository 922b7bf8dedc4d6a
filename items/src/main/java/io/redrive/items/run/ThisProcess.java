package io.redrive.items.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names this process so that a later one on the same machine can tell that it is gone: machine, process id, and when it
 * started, since ids are used again. A run that was killed and started anew then need not wait for a lease to run out.
 */
final class ThisProcess {

    private static final Pattern NAME = Pattern.compile("(.+)/(\\d+)/(\\d+)");

    private ThisProcess() {}

    static String name() {
        ProcessHandle self = ProcessHandle.current();
        return host() + "/" + self.pid() + "/" + started(self).orElse(0L);
    }

    /** True when {@code node} names a process of this machine that does not run any more; false when it cannot be told. */
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

    /** Looked up once: asking for it may ask the network. */
    private static final class Host {
        static final String NAME = lookUp();

        private static String lookUp() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                // Under a name that other machines have too, their processes would be taken for dead ones of this
                // machine.
                return "unknown-" + UUID.randomUUID();
            }
        }
    }
}
