package io.redrive.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Lets a test control time and handling: events are kept in memory, the clock is a {@link io.redrive.core.ManualTime}, and
 * the pipeline handles events only when the test calls {@link TestPipeline#drain()}. Each test method begins without events.
 * For use beside {@code @SpringBootTest}; {@link RedriveTest} includes this annotation.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith({SpringExtension.class, EventReset.class})
@ImportAutoConfiguration(RedriveTestAutoConfiguration.class)
@TestPropertySource(properties = {"redrive.store.type=memory", "redrive.pipeline.enabled=false"})
public @interface AutoConfigureRedriveTest {}
