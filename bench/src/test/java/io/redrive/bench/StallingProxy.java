package io.redrive.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy of a server which can go silent without closing connections, as a broken network does. */
final class StallingProxy implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int serverPort;
    private final Object gate = new Object();
    private boolean stalled;

    StallingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        daemon(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Holds all traffic back from this moment, without refusing connections. */
    void stall() {
        synchronized (gate) {
            stalled = true;
        }
    }

    /** Lets all traffic through again, including held traffic. */
    void resume() {
        synchronized (gate) {
            stalled = false;
            gate.notifyAll();
        }
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket client = listening.accept();
            sockets.add(client);
            daemon(() -> {
                awaitOpenGate();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.add(server);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                daemon(() -> copy(client, server));
                copy(server, client);
            });
        }
    }

    private void copy(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitOpenGate();
                out.write(buffer, 0, read);
            }
        }
    }

    private void awaitOpenGate() {
        synchronized (gate) {
            while (stalled) {
                try {
                    gate.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // Either side closed its connection, which ends this one.
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        resume();
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
