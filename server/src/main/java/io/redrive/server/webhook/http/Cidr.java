package io.redrive.server.webhook.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** A range of addresses, such as {@code 10.0.0.0/8} or {@code fd00::/8}; an address alone is a range of one. Immutable. */
public final class Cidr {

    private final byte[] network;
    private final int bits;
    private final String text;

    private Cidr(byte[] network, int bits, String text) {
        this.network = network;
        this.bits = bits;
        this.text = text;
    }

    /**
     * Reads a range.
     *
     * @throws IllegalArgumentException if the text is no range, or has bits set behind its prefix
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = literal(address, text);
        int most = bytes.length * Byte.SIZE;
        int bits = slash < 0 ? most : prefix(text.substring(slash + 1), most, text);
        Cidr range = new Cidr(bytes, bits, text);
        if (!Arrays.equals(range.cut(bytes), bytes)) {
            throw new IllegalArgumentException(
                    "must have no bits set behind the prefix of " + bits + " bits, got '" + text + "'");
        }
        return range;
    }

    /** Returns true when the address is in this range. */
    public boolean contains(InetAddress address) {
        return contains(address.getAddress());
    }

    boolean contains(byte[] address) {
        return address.length == network.length && Arrays.equals(cut(address), network);
    }

    private byte[] cut(byte[] address) {
        byte[] cut = address.clone();
        for (int bit = bits; bit < cut.length * Byte.SIZE; bit++) {
            cut[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
        }
        return cut;
    }

    private static byte[] literal(String address, String text) {
        // Only digits and separators: a name would be looked up.
        if (!address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
                || address.matches("[0-9.]+") && !isQuad(address)) {
            throw refused(text);
        }
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw refused(text);
        }
    }

    private static boolean isQuad(String address) {
        return address.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    }

    private static int prefix(String digits, int most, String text) {
        if (!digits.matches("\\d{1,3}") || Integer.parseInt(digits) > most) {
            throw refused(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException refused(String text) {
        return new IllegalArgumentException(
                "must be a range of addresses such as 10.0.0.0/8 or fd00::/8, got '" + text + "'");
    }

    @Override
    public String toString() {
        return text;
    }
}
