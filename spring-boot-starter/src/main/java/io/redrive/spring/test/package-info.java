/**
 * Tests of handlers in Spring Boot without waiting: {@link io.redrive.spring.test.RedriveTest} creates the handlers alone,
 * {@link io.redrive.spring.test.AutoConfigureRedriveTest} beside {@code @SpringBootTest} the whole application. In both,
 * {@link io.redrive.spring.test.TestPipeline} handles events when the test asks for it.
 */
@NullMarked
package io.redrive.spring.test;

import org.jspecify.annotations.NullMarked;
