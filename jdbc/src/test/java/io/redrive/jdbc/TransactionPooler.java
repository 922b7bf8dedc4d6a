package io.redrive.jdbc;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A minimal pooler that works like pgbouncer in transaction mode: clients share server connections, and each
 * transaction gets any free one. Does not support COPY.
 */
final class TransactionPooler implements AutoCloseable {

    private static final int PROTOCOL = 196_608;
    private static final byte[] READY = {'Z', 0, 0, 0, 5, 'I'};

    private final ServerSocket door;
    private final BlockingQueue<Server> free = new LinkedBlockingQueue<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /**
     * Opens {@code connections} connections to the server on this port, where the user may log in without a password.
     */
    TransactionPooler(int port, String user, String database, int connections) throws IOException {
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        for (int i = 0; i < connections; i++) {
            Socket socket = kept(new Socket(InetAddress.getLoopbackAddress(), port));
            free.add(new Server(socket, user, database));
        }
        start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = kept(door.accept());
            start(() -> serve(client));
        }
    }

    private void serve(Socket socket) throws IOException, InterruptedException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        while (startup(in) != PROTOCOL) {
            out.writeByte('N'); // no encryption
        }
        Server greeter = free.take();
        out.write(greeter.greeting);
        free.put(greeter);
        // The pooler's own key for cancelling, with a process id different from the server's.
        out.write(ByteBuffer.allocate(13)
                .put((byte) 'K')
                .putInt(12)
                .putInt(-17)
                .putInt(4)
                .array());
        out.write(READY);
        Server server = null;
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        for (byte[] message = message(in); message[0] != 'X'; message = message(in)) {
            request.write(message);
            if (message[0] == 'S' || message[0] == 'Q') {
                server = server == null ? free.take() : server;
                if (server.answer(request.toByteArray(), out) == 'I') {
                    free.put(server);
                    server = null;
                }
                request.reset();
            }
        }
        socket.close();
    }

    private static int startup(DataInputStream in) throws IOException {
        byte[] rest = in.readNBytes(in.readInt() - 4);
        return ByteBuffer.wrap(rest).getInt();
    }

    /** Type, length and body. */
    private static byte[] message(DataInputStream in) throws IOException {
        byte type = in.readByte();
        int length = in.readInt();
        return ByteBuffer.allocate(length + 1)
                .put(type)
                .putInt(length)
                .put(in.readNBytes(length - 4))
                .array();
    }

    /** A connection to the server, and the server's parameters. */
    private static final class Server {
        private final DataInputStream in;
        private final DataOutputStream out;
        private final byte[] greeting;

        Server(Socket socket, String user, String database) throws IOException {
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            byte[] settings = ("user\0" + user + "\0database\0" + database + "\0TimeZone\0UTC\0\0")
                    .getBytes(StandardCharsets.UTF_8);
            out.writeInt(settings.length + 8);
            out.writeInt(PROTOCOL);
            out.write(settings);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            for (byte[] message = message(in); message[0] != 'Z'; message = message(in)) {
                if (message[0] != 'K') {
                    said.write(message);
                }
            }
            greeting = said.toByteArray();
        }

        /** Returns the state of the transaction: none, open, or failed. */
        char answer(byte[] request, DataOutputStream client) throws IOException {
            out.write(request);
            out.flush();
            byte[] message;
            do {
                message = message(in);
                client.write(message);
            } while (message[0] != 'Z');
            client.flush();
            return (char) message[5];
        }
    }

    private Socket kept(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException e) {
                // Closed by the client or by the test.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
