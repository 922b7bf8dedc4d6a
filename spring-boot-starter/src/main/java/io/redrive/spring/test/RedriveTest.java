package io.redrive.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of the handlers of an application. Creates only the components with {@link io.redrive.spring.OnEvent} methods, the
 * bus, Jackson and the proxies of {@link io.redrive.spring.RetryWith}. The test provides further beans for the handlers with
 * {@code @MockitoBean} or {@code @Import}. Events are kept in memory and handled when the test calls
 * {@link TestPipeline#drain()}.
 *
 * <pre>{@code
 * @RedriveTest
 * class ShippingTest {
 *     @Autowired EventBus bus;
 *     @Autowired TestPipeline pipeline;
 *
 *     @Test
 *     void an_order_is_shipped_although_the_warehouse_is_down_at_first() {
 *         bus.publish("order.paid", new OrderPaid("17"));
 *         pipeline.drain(Duration.ofMinutes(1)); // no waiting
 *         …
 *     }
 * }
 * }</pre>
 *
 * @see AutoConfigureRedriveTest the same within a whole application
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@BootstrapWith(RedriveTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(HandlerTypeFilter.class)
@ImportAutoConfiguration
@AutoConfigureRedriveTest
public @interface RedriveTest {

    /** Properties of the form {@code key=value} for the environment of the test. */
    String[] properties() default {};

    /** False to create only the components of {@link #includeFilters()}. */
    boolean useDefaultFilters() default true;

    /** Components to create besides the handlers. */
    Filter[] includeFilters() default {};

    /** Components to leave out. */
    Filter[] excludeFilters() default {};

    /** Auto-configuration to leave out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
