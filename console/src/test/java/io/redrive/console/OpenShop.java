package io.redrive.console;

import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One shop, for several test classes, that lets everybody in and protects no form. The console is mounted at a path of the shop's
 * choice, below the shop's context path, with streams for two pages. The texts of the shop's runs are hostile.
 */
final class OpenShop implements BeforeAllCallback {

    private static final String BASE = "/shop/ops/queue";

    private Started started;

    private static final class Started implements AutoCloseable {
        private final EventStore store = InMemoryEventStore.withJournal(Duration.ofHours(24));
        private final ConfigurableApplicationContext shop = Shop.start(
                Map.of("store", store, "runs", Work.runs("<script>alert(1)</script>")),
                "shop.open=true",
                "redrive.console.path=/ops/queue/",
                "redrive.console.streams=2",
                "server.servlet.context-path=/shop");

        @Override
        public void close() {
            shop.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        started = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(OpenShop.class))
                .computeIfAbsent(Started.class, key -> new Started(), Started.class);
    }

    EventStore store() {
        return started.store;
    }

    LiveStreams streams() {
        return started.shop.getBean(LiveStreams.class);
    }

    /** Returns the address of the console. */
    String url() {
        return Shop.urlOf(started.shop) + BASE;
    }

    /** Returns a caller whose paths begin at the console. */
    Caller as(String user) {
        return new Caller(url(), user);
    }

    /** Returns a caller whose paths begin at the server. */
    Caller outside(String user) {
        return new Caller(Shop.urlOf(started.shop), user);
    }
}
