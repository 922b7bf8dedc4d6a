package io.redrive.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.util.AopTestUtils;

/** Steps by hand within a whole application, and retries of methods without waiting. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties =
                "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@AutoConfigureRedriveTest
@Import(Shop.FlakyWarehouse.class)
class WholeApplicationTest {

    @Autowired
    private Shop.Desk desk;

    @Autowired
    private TestPipeline pipeline;

    @Autowired
    private Shop.Warehouse warehouse;

    @Test
    void a_retried_method_runs_three_times_in_each_attempt_of_an_event() {
        Shop.FlakyWarehouse target = AopTestUtils.getTargetObject(warehouse);
        target.failures = 4;
        desk.pay("17");
        assertThat(pipeline.stats().ready()).isEqualTo(1);
        pipeline.drain();
        assertThat(target.sent).isEmpty();
        pipeline.drain(Duration.ofSeconds(10));
        assertThat(target.sent).containsExactly("17");
    }
}
