package io.redrive.server.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds and checks the addresses of hosts, and tells a host without an address from a name service that answers nobody. Thread-safe.
 */
final class HostAddresses {

    /** How many other hosts are looked up before the name service is called broken. */
    private static final int PROBES = 3;

    private static final int MOST_KNOWN = 1_000;

    private final AddressGuard guard;
    private final AddressGuard.NameLookup names;
    /** Hosts that had an address before, the latest last. */
    private final Set<String> known = Collections.synchronizedSet(new LinkedHashSet<>());

    HostAddresses(AddressGuard guard, AddressGuard.NameLookup names) {
        this.guard = guard;
        this.names = names;
    }

    /**
     * Looks a host up once and returns its addresses, each of which may be reached.
     *
     * @throws UnknownHostException if the host has no address
     * @throws ForbiddenAddressException if one of the addresses must not be reached
     */
    InetAddress[] find(String host) throws UnknownHostException, ForbiddenAddressException {
        InetAddress[] addresses = names.lookup(host);
        if (known.size() < MOST_KNOWN) {
            known.add(host);
        }
        guard.check(host, addresses);
        return addresses;
    }

    /** Returns true when the name service finds none of the hosts that it found before. */
    boolean isNameServiceDown(String failed) {
        List<String> others;
        synchronized (known) {
            others = known.stream()
                    .filter(host -> !host.equals(failed))
                    .limit(PROBES)
                    .toList();
        }
        if (others.isEmpty()) {
            return known.contains(failed);
        }
        return others.stream().noneMatch(this::isFound);
    }

    private boolean isFound(String host) {
        try {
            return names.lookup(host).length > 0;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
