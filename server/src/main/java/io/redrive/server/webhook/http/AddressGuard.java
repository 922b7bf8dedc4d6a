package io.redrive.server.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says which addresses a route may reach: public addresses, and the ranges of the allow-list. Addresses that carry an IPv4
 * address inside (mapped, NAT64, ISATAP) are judged by that address too. Immutable.
 */
public final class AddressGuard {

    private static final Map<Cidr, String> FORBIDDEN = forbidden();
    private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    /** Where the mark 5efe of an ISATAP address stands. */
    private static final int ISATAP_AT = 10;

    private final List<Cidr> allowed;

    /** Creates a guard that lets the addresses of these ranges through, in addition to public addresses. */
    public AddressGuard(List<Cidr> allowed) {
        this.allowed = List.copyOf(allowed);
    }

    /** Returns why the address must not be reached, such as {@code loopback}; empty when it may be reached. */
    public Optional<String> refusal(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (isAllowed(bytes)) {
            return Optional.empty();
        }
        Optional<byte[]> inside = embedded(bytes);
        if (inside.isPresent()) {
            return isAllowed(inside.get()) ? Optional.empty() : kind(inside.get());
        }
        return kind(bytes);
    }

    /**
     * Checks all addresses of a host: one forbidden address refuses the host, because a later connection might use it.
     *
     * @throws ForbiddenAddressException if an address must not be reached
     */
    public void check(String host, InetAddress[] addresses) throws ForbiddenAddressException {
        for (InetAddress address : addresses) {
            Optional<String> kind = refusal(address);
            if (kind.isPresent()) {
                throw new ForbiddenAddressException(host, address, kind.get());
            }
        }
    }

    private boolean isAllowed(byte[] bytes) {
        return allowed.stream().anyMatch(range -> range.contains(bytes));
    }

    private static Optional<String> kind(byte[] bytes) {
        return FORBIDDEN.entrySet().stream()
                .filter(range -> range.getKey().contains(bytes))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns the IPv4 address that a public IPv6 address leads to. Java itself reads mapped addresses as IPv4. */
    private static Optional<byte[]> embedded(byte[] bytes) {
        boolean isatap = bytes.length == IPV6_BYTES
                && bytes[ISATAP_AT] == 0x5e
                && bytes[ISATAP_AT + 1] == (byte) 0xfe
                && (bytes[ISATAP_AT - 2] & ~2) == 0
                && bytes[ISATAP_AT - 1] == 0;
        return isatap && kind(bytes).isEmpty() || NAT64.contains(bytes)
                ? Optional.of(Arrays.copyOfRange(bytes, IPV6_BYTES - IPV4_BYTES, IPV6_BYTES))
                : Optional.empty();
    }

    private static Map<Cidr, String> forbidden() {
        Map<String, String> ranges = new LinkedHashMap<>();
        ranges.put("0.0.0.0/8", "this network");
        ranges.put("10.0.0.0/8", "private");
        ranges.put("100.64.0.0/10", "carrier-grade NAT");
        ranges.put("127.0.0.0/8", "loopback");
        ranges.put("169.254.0.0/16", "link-local");
        ranges.put("172.16.0.0/12", "private");
        ranges.put("192.0.0.0/24", "reserved");
        ranges.put("192.0.2.0/24", "documentation");
        ranges.put("192.88.99.0/24", "6to4 relay");
        ranges.put("192.168.0.0/16", "private");
        ranges.put("198.18.0.0/15", "benchmarks");
        ranges.put("198.51.100.0/24", "documentation");
        ranges.put("203.0.113.0/24", "documentation");
        ranges.put("224.0.0.0/4", "multicast");
        ranges.put("240.0.0.0/4", "reserved");
        ranges.put("::1/128", "loopback");
        ranges.put("::/96", "unspecified or IPv4-compatible");
        ranges.put("64:ff9b:1::/48", "local NAT64");
        ranges.put("100::/64", "discard");
        ranges.put("2001::/23", "protocol assignments");
        ranges.put("2001:db8::/32", "documentation");
        ranges.put("2002::/16", "6to4");
        ranges.put("3fff::/20", "documentation");
        ranges.put("5f00::/16", "segment routing");
        ranges.put("fc00::/7", "private");
        ranges.put("fe80::/10", "link-local");
        ranges.put("fec0::/10", "site-local");
        ranges.put("ff00::/8", "multicast");
        Map<Cidr, String> byRange = new LinkedHashMap<>();
        ranges.forEach((range, kind) -> byRange.put(Cidr.parse(range), kind));
        return byRange;
    }

    /** Finds the addresses of a host. Tests answer in place of a name server. */
    @FunctionalInterface
    public interface NameLookup {

        /** The resolver of the machine. */
        NameLookup SYSTEM = InetAddress::getAllByName;

        /**
         * Returns all addresses of a host.
         *
         * @throws UnknownHostException if the host has no address
         */
        InetAddress[] lookup(String host) throws UnknownHostException;
    }
}
