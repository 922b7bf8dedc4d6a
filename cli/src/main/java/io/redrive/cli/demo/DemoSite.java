package io.redrive.cli.demo;

import io.redrive.cli.command.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of the demo around its events: a server with the console, a receiver of its webhooks, and an item run. */
final class DemoSite implements AutoCloseable {

    private final Path folder;
    private final DemoReceiver receiver;
    private final DemoServer server;
    private final DemoItems items;

    private DemoSite(Path folder, DemoReceiver receiver, DemoServer server, DemoItems items) {
        this.folder = folder;
        this.receiver = receiver;
        this.server = server;
        this.items = items;
    }

    /**
     * Starts all parts on the store at {@code address}, which exists.
     *
     * @return the parts; null when the jar of the server is not known
     */
    static @Nullable DemoSite startIfPossible(Context context, String address, EventsDemo.Settings settings)
            throws IOException {
        Optional<Path> jar = DemoServer.jar();
        if (jar.isEmpty()) {
            return null;
        }
        Path folder = Files.createTempDirectory("redrive-demo-site-");
        DemoReceiver receiver = new DemoReceiver();
        try {
            Path configuration = folder.resolve("redrive.yml");
            Files.writeString(configuration, configuration(receiver.url()));
            DemoServer server = DemoServer.start(jar.get(), address, configuration, settings.log());
            try {
                DemoItems items = DemoItems.start(context, address, folder, settings.fixed());
                return new DemoSite(folder, receiver, server, items);
            } catch (IOException | RuntimeException e) {
                server.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            receiver.close();
            delete(folder);
            throw e;
        }
    }

    /** The receiver is on this machine, so the route is allowed what a route may not do otherwise: plain HTTP, and loopback. */
    private static String configuration(String receiver) {
        byte[] secret = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
        return """
                routes:
                  warehouse:
                    events: [%s]
                    url: %s
                    plain-http: true
                    secret: whsec_%s
                    retry: {max-attempts: 5, initial-delay: 300ms, max-delay: 2s}
                webhooks:
                  allow: [127.0.0.0/8]
                """.formatted(DemoTraffic.SHIPMENT, receiver, Base64.getEncoder().encodeToString(secret));
    }

    /** Prints where the console is, how to log in, and what to try. */
    void announce(DemoScreen screen, String store) {
        screen.say("");
        screen.title("Console: " + server.url() + "   user admin, password " + server.password());
        screen.say("Try in another terminal:");
        screen.say("  ./redrive causes list --store " + store);
        screen.say("  ./redrive activity --store " + store);
        screen.say("  curl -u admin:" + server.password() + " " + server.url() + "/api/v1/events/stats");
    }

    /** Prints how many webhooks arrived. */
    void tellEnd(DemoScreen screen) {
        screen.say(receiver.accepted() + " webhooks delivered; the server and the item run of the demo end now");
    }

    @Override
    public void close() {
        items.close();
        server.close();
        receiver.close();
        delete(folder);
    }

    private static void delete(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
