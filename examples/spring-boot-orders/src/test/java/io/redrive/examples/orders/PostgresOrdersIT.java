package io.redrive.examples.orders;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Orders and events in one PostgreSQL database. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ActiveProfiles("postgres")
@DirtiesContext // the application stops before its database does
final class PostgresOrdersIT extends OrdersScenario {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.start(); // until the JVM ends
        registry.add("spring.datasource.url", () -> server.getJdbcUrl("postgres", "postgres"));
        registry.add("spring.datasource.username", () -> "postgres");
    }
}
