/**
 * Tests of handlers in Spring Boot, without waiting: {@link io.redrive.spring.test.RedriveTest} for the handlers alone,
 * {@link io.redrive.spring.test.AutoConfigureRedriveTest} beside {@code @SpringBootTest} for the whole application.
 */
package io.redrive.spring.test;
