package io.redrive.cli;

import com.sun.net.httpserver.HttpServer;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.remote.RemoteOperations;
import io.redrive.cli.terminal.ConsoleLog;
import io.redrive.cli.terminal.SystemTerminal;
import io.redrive.core.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Runs small commands on a new store and on a server that has nothing, and shows nothing of their output. The launcher of a checkout
 * runs this class once after a build, and keeps the classes that were loaded in an archive, from which later commands start sooner.
 */
final class ClassTrial {

    /** An answer to any request of the commands below: an empty list, and numbers that are all zero. */
    private static final String NOTHING = """
            {"items": [], "version": "0", "ready": 0, "delayed": 0, "claimed": 0, "dead": 0, "oldest_ready_ms": 0,
             "behind_key": 0, "without_handler": 0, "oldest_without_handler_ms": 0, "paused": 0, "without_token": 0}
            """;

    /** The answer of a server which is its only node. */
    private static final String NODE = """
            {"items": [{"node": "n", "service": "trial", "version": "1", "started": "2026-01-01T00:00:00Z",
             "seen": "2026-01-01T00:00:00Z", "handles": ["trial.*"], "sizes": []}]}
            """;

    private ClassTrial() {}

    /**
     * Runs the commands.
     *
     * @param args the file of a store which must not exist yet, and a file for the native library of SQLite: its driver would
     *     unpack the library for every command
     */
    public static void main(String[] args) throws IOException {
        ConsoleLog.install();
        List<List<String>> failed = failures(args[0]);
        keepLibrary(Path.of(args[1]));
        System.exit(failed.isEmpty() ? 0 : 1);
    }

    private static void keepLibrary(Path file) throws IOException {
        String name = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
        try (InputStream library = LibraryLoaderUtil.class.getResourceAsStream(name)) {
            if (library != null) {
                Files.copy(library, file);
            }
        }
    }

    /** Runs the commands on a new store in {@code file}, and returns those that failed. */
    static List<List<String>> failures(String file) throws IOException {
        List<List<String>> failed = new ArrayList<>();
        HttpServer server = server();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            List<String> onStore = List.of("--store", file);
            List<String> onServer = List.of("--server", url);
            run(failed, onStore, "publish", "--create", "--name", "trial", "--source", "trial", "--text", "trial");
            for (List<String> place : List.of(onStore, onServer)) {
                run(failed, place, "status");
                run(failed, place, "stats");
                run(failed, place, "dlq", "list");
                run(failed, place, "causes", "list");
                run(failed, place, "pauses");
                run(failed, place, "operations", "list");
                run(failed, place, "events", "waiting");
            }
            tryTls();
        } finally {
            server.stop(0);
        }
        return failed;
    }

    /** Asks a server that hangs up: the command fails, but not before most classes of TLS are loaded. */
    private static void tryTls() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> hangUp(socket), "class-trial");
            server.setDaemon(true);
            server.start();
            run(new ArrayList<>(), List.of("--server", "https://127.0.0.1:" + socket.getLocalPort()), "status");
        }
    }

    private static void hangUp(ServerSocket socket) {
        try {
            while (true) {
                socket.accept().close();
            }
        } catch (IOException e) {
            // The socket was closed after the command ended.
            return;
        }
    }

    private static HttpServer server() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean nodes = exchange.getRequestURI().getPath().endsWith("/nodes");
            byte[] answer = (nodes ? NODE : NOTHING).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void run(List<List<String>> failed, List<String> place, String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(place);
        // Settings of the user, such as credentials, have no part in this.
        Context context = new Context(
                        Time.system(), new JdbcStores(), new SystemTerminal(), InputStream.nullInputStream(), Map.of())
                .with(RemoteOperations::new);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        String[] args = words.toArray(String[]::new);
        int code = Redrive.commandLine(nowhere, nowhere, context, args).execute(args);
        if (code == 1 || code == 2) {
            failed.add(words);
        }
    }
}
