package io.redrive.examples.kafkaorders;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Starts a broker, ships the orders of a topic, and exits. With the argument {@code broker} only starts the broker, at port 9092. */
@SpringBootApplication
public class KafkaOrdersApplication {

    private static final int USUAL_PORT = 9092;

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("broker")) {
            onlyBroker();
            return;
        }
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

    /** The threads of the broker keep the process alive until Ctrl-C. */
    private static void onlyBroker() {
        LoggingSystem logs = LoggingSystem.get(KafkaOrdersApplication.class.getClassLoader());
        logs.beforeInitialize();
        logs.initialize(new LoggingInitializationContext(new StandardEnvironment()), null, null);
        logs.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
        try {
            // A broker whose port is taken would end the process without a word.
            new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress()).close();
            LocalBroker.start(Files.createTempDirectory("kafka-orders"), USUAL_PORT, "orders", "dlq.orders");
            System.out.println("a broker listens at localhost:" + USUAL_PORT
                    + " and has the topics orders and dlq.orders; Ctrl-C ends it");
        } catch (IOException | ExecutionException e) {
            System.err.println("no broker could be started at port " + USUAL_PORT + ": " + e.getMessage());
            System.exit(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
