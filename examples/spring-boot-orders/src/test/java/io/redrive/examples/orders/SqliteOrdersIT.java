package io.redrive.examples.orders;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Without any server: orders in one file, events in another. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@DirtiesContext // the files go with the class
final class SqliteOrdersIT extends OrdersScenario {

    @TempDir
    private static Path folder;

    @DynamicPropertySource
    static void files(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", () -> "jdbc:sqlite:" + folder.resolve("orders.db"));
        registry.add("redrive.store.path", () -> folder.resolve("redrive.db"));
    }
}
