package io.redrive.server.webhook;

import io.redrive.server.webhook.http.AddressGuard;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;

/** A name server on a UDP port of loopback, whose answers change from query to query and may not be kept: their time to live is 0. */
final class TestNameServer implements AutoCloseable {

    private static final int HEAD = 12;
    private static final int TYPE_A = 1;
    private static final int ANSWERED = 0x8180;
    private static final int NAME_OF_QUESTION = 0xc00c;
    private static final int INTERNET = 1;
    private static final int ADDRESS_BYTES = 4;

    final AtomicInteger queries = new AtomicInteger();
    private final DatagramSocket socket;
    private final Queue<List<String>> answers = new ConcurrentLinkedQueue<>();
    private volatile List<String> last = List.of();

    TestNameServer() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
        Thread thread = new Thread(this::serve, "test-name-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** The next query for an A record is answered with these addresses; the last given answer is repeated. */
    void answer(String... addresses) {
        answers.add(List.of(addresses));
    }

    /** Returns a lookup that asks this server, over the network, and keeps no answer. */
    AddressGuard.NameLookup lookup() {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        environment.put(Context.PROVIDER_URL, "dns://127.0.0.1:" + socket.getLocalPort());
        return host -> {
            try {
                Attribute records = new InitialDirContext(environment)
                        .getAttributes(host, new String[] {"A"})
                        .get("A");
                if (records == null) {
                    throw new UnknownHostException(host);
                }
                List<InetAddress> addresses = new ArrayList<>();
                for (NamingEnumeration<?> all = records.getAll(); all.hasMore(); ) {
                    addresses.add(InetAddress.getByName((String) all.next()));
                }
                return addresses.toArray(InetAddress[]::new);
            } catch (NamingException e) {
                throw new UnknownHostException(host + ": " + e);
            }
        };
    }

    private void serve() {
        byte[] buffer = new byte[512];
        while (!socket.isClosed()) {
            try {
                DatagramPacket query = new DatagramPacket(buffer, buffer.length);
                socket.receive(query);
                byte[] reply = reply(Arrays.copyOf(buffer, query.getLength()));
                socket.send(new DatagramPacket(reply, reply.length, query.getSocketAddress()));
            } catch (IOException e) {
                return;
            }
        }
    }

    private byte[] reply(byte[] query) throws IOException {
        queries.incrementAndGet();
        int end = HEAD;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        end += 5;
        List<String> next = answers.poll();
        last = next == null ? last : next;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(ANSWERED);
        out.writeShort(1);
        out.writeShort(last.size());
        out.writeInt(0);
        out.write(query, HEAD, end - HEAD);
        for (String address : last) {
            out.writeShort(NAME_OF_QUESTION);
            out.writeShort(TYPE_A);
            out.writeShort(INTERNET);
            out.writeInt(0);
            out.writeShort(ADDRESS_BYTES);
            out.write(InetAddress.getByName(address).getAddress());
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
