package io.redrive.examples.kafkaorders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Starts a broker, ships the orders of a topic, and exits. */
@SpringBootApplication
public class KafkaOrdersApplication {

    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(KafkaOrdersApplication.class);
        application.addInitializers(KafkaOrdersApplication::startBroker);
        int code = 1;
        try (ConfigurableApplicationContext context = application.run(args)) {
            context.getBean(Tour.class).run();
            code = 0;
        } catch (IllegalStateException e) {
            System.err.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Threads of the broker are alive.
            System.exit(code);
        }
    }

    /** Starts the broker before the beans, and tells its address, which is stronger than that of application.yml. */
    private static void startBroker(ConfigurableApplicationContext context) {
        try {
            Path folder = Files.createTempDirectory("kafka-orders");
            String broker = LocalBroker.start(folder, "orders", "dlq.orders");
            Path store = folder.resolve("orders.db");
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "broker",
                            Map.of("redrive.kafka.bootstrap-servers", broker, "redrive.store.path", store.toString())));
        } catch (IOException | ExecutionException e) {
            throw new IllegalStateException("the broker of the example did not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the broker started", e);
        }
    }
}
